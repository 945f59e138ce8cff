import { bulletinContentsSchema, csvLines } from '@plimsoll/contract';
import type { DeliveryToSend, MadeBulletin, UnknownHost } from '@plimsoll/db';
import { fixStates } from '@plimsoll/model';
import type { Message } from '../messages/message.ts';
import { bulletinWords } from './bulletin-words.ts';

/** Rows of the attached table: some megabytes, which mail servers take. */
const mostRows = 20_000;

const columns = [
  'advisory',
  'title',
  'severity',
  'known_exploited',
  'epss',
  'due_at',
  'overdue_hosts',
  'hosts',
  ...fixStates.map((state) => `hosts_${state}`),
];

const unknownColumns = ['host_id', 'host', 'why'];

function unknownCells({ id, name, gaps }: UnknownHost): readonly (string | readonly string[])[] {
  return [id, name, gaps.length === 0 ? 'not_counted_yet' : gaps];
}

/** A bulletin as the message of a delivery. */
export function bulletinMessage(
  { id, createdAt, bulletinId }: Pick<DeliveryToSend, 'id' | 'createdAt' | 'bulletinId'>,
  { contents, base, rows, unknown }: Extract<MadeBulletin, { kind: 'made' }>,
  publicUrl: string | null,
): Message {
  const parsed = bulletinContentsSchema.parse(contents);
  const isKevKnown = parsed.exploited_data?.freshness !== 'never_synced';
  // Without CISA's catalog, that nothing is overdue by such a policy means nothing.
  const isDueKnown = isKevKnown || !parsed.due_exploitation_unknown;
  const cells = rows
    .slice(0, mostRows)
    .map((row) => [
      row.key,
      row.title,
      row.severity,
      row.knownExploited || isKevKnown ? row.knownExploited : null,
      row.epss,
      row.dueAt === null ? null : new Date(row.dueAt).toISOString(),
      row.overdueHosts > 0 || isDueKnown ? row.overdueHosts : null,
      row.hosts,
      ...fixStates.map((state) => row.byState[state] ?? 0),
    ]);
  return {
    id,
    event: 'bulletin',
    at: createdAt.toISOString(),
    title: bulletinWords(parsed).title,
    weight: 'info',
    entries: [],
    left: 0,
    data: {},
    bulletin: {
      contents: parsed,
      base,
      csv: `\uFEFF${csvLines([columns, ...cells])}`,
      unknownCsv:
        unknown.length === 0
          ? ''
          : `\uFEFF${csvLines([unknownColumns, ...unknown.slice(0, mostRows).map(unknownCells)])}`,
      omittedRows: Math.max(0, rows.length - mostRows),
      omittedUnknown: Math.max(0, unknown.length - mostRows),
      publicUrl,
      bulletinId: bulletinId ?? '',
    },
  };
}
