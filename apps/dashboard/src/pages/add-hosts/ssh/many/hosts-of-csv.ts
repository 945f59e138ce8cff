import { tagsIn } from '../../../../words/tag-list.ts';
import { csvRecords } from './csv-lines.ts';
import type { NewHostRow, ReadHosts } from './new-hosts.ts';

/** The names that the head of a table may use for a field. */
const columnNames = {
  hostname: ['hostname', 'host', 'address', 'ip', 'ip_address'],
  display_name: ['display_name', 'name'],
  ssh_user: ['ssh_user', 'user'],
  port: ['port', 'ssh_port'],
  tags: ['tags', 'tag'],
  host_key_fingerprint: ['host_key_fingerprint', 'fingerprint'],
} as const satisfies Partial<Record<keyof NewHostRow, readonly string[]>>;

type Field = keyof typeof columnNames;

function fieldOf(name: string): Field | null {
  const wanted = name.toLowerCase().replace(/[ -]/g, '_');
  const found = Object.entries(columnNames).find(([, names]) =>
    (names as readonly string[]).includes(wanted),
  );
  return found === undefined ? null : (found[0] as Field); // the object's own keys
}

/** The hosts of a table: with a head that names its columns, or one host name per line. */
export function hostsOfCsv(text: string): ReadHosts {
  const { records, faults } = csvRecords(text);
  const [head, ...rest] = records;
  if (head === undefined) return { rows: [], faults: ['The file has no host.'] };
  const fields = head.cells.map(fieldOf);
  const hasHead = fields.includes('hostname');
  if (!hasHead && head.cells.length > 1)
    return { rows: [], faults: ['The first line must name the columns; one of them must be "hostname".'] };
  const unknown = hasHead ? head.cells.filter((name, n) => name !== '' && fields[n] === null) : [];
  const columns: readonly (Field | null)[] = hasHead ? fields : ['hostname'];
  const rows = (hasHead ? rest : records).map(({ line, cells }) => {
    const cellOf = (field: Field) => cells[columns.indexOf(field)] ?? '';
    const extra = cells.slice(columns.length).some((cell) => cell !== '');
    return {
      line,
      display_name: cellOf('display_name'),
      hostname: cellOf('hostname'),
      ssh_user: cellOf('ssh_user'),
      port: cellOf('port'),
      tags: tagsIn(cellOf('tags').replaceAll(/[;|]/g, ',')),
      host_key_fingerprint: cellOf('host_key_fingerprint'),
      faults: extra ? ['The line has more cells than the first line has columns.'] : [],
      notes: [],
    };
  });
  return {
    rows,
    faults: [
      ...faults.map(({ line, detail }) => `Line ${line}: ${detail}`),
      ...(unknown.length > 0 ? [`Columns that are not read: ${unknown.join(', ')}.`] : []),
    ],
  };
}
