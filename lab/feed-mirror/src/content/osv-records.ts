import type { Volume } from '../layout.ts';
import { numbersFrom, prose } from './deterministic.ts';
import type { ZipEntry } from './zip-archive.ts';

/** The specifics of a publisher's OSV records. */
export interface OsvStyle {
  /** The id of record `n`, counted from 0. */
  idOf(n: number): string;
  /** Ecosystems that each record names. */
  readonly ecosystems: readonly string[];
  /** The name and the fixed version of its package; null: no fix. */
  packageOf(n: number): { readonly name: string; readonly fixed: string | null };
  /** Fields in addition to those that all publishers have. */
  fieldsOf?(n: number, cve: string): object;
  /** Fields of an entry of `affected` besides package and ranges. */
  entryFieldsOf?(n: number): object;
}

/** The CVE of record `n`. */
export function cveOfRecord(n: number): string {
  return `CVE-${2016 + (n % 11)}-${10_000 + n}`;
}

/** The OSV records of a publisher as the files of its archive. */
export function* osvEntries(style: OsvStyle, { records, proseCharacters }: Volume): Generator<ZipEntry> {
  const next = numbersFrom(1);
  for (let n = 0; n < records; n++) {
    const { name, fixed } = style.packageOf(n);
    const id = style.idOf(n);
    const events = [{ introduced: '0' }, ...(fixed === null ? [] : [{ fixed }])];
    const record = {
      schema_version: '1.7.3',
      id,
      published: '2026-01-02T03:04:05Z',
      modified: `2026-0${1 + (n % 9)}-11T10:20:30Z`,
      summary: `Important: ${name} security update`,
      details: prose(proseCharacters, next),
      affected: style.ecosystems.map((ecosystem) => ({
        package: { ecosystem, name },
        ranges: [{ type: 'ECOSYSTEM', events }],
        ...style.entryFieldsOf?.(n),
      })),
      ...style.fieldsOf?.(n, cveOfRecord(n)),
    };
    yield { name: `${id}.json`, content: Buffer.from(JSON.stringify(record)) };
  }
}
