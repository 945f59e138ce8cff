import { gzipSync } from 'node:zlib';
import { readRecords } from '@plimsoll/pipeline';

/** The readable records of a feed's file, in order, that `isWanted` selects. */
export async function readFeedFile(
  file: string,
  isWanted: (record: object) => boolean = () => true,
): Promise<readonly object[]> {
  const records: object[] = [];
  for await (const record of readRecords(file))
    if (record.kind === 'record' && typeof record.json === 'object' && record.json !== null)
      if (isWanted(record.json)) records.push(record.json);
  return records;
}

/** At most `count` records, evenly spread over all. */
export function someOf(records: readonly object[], count: number): readonly object[] {
  const step = Math.max(1, records.length / count);
  return Array.from(
    { length: Math.min(count, records.length) },
    (_, index) => records[Math.floor(index * step)],
  ).filter((record) => record !== undefined);
}

/** OSV records with a vendor's changes: newer, and fixed in a later rebuild at each call. A compressed JSON Lines file. */
export function changedRecords(records: readonly object[]): Uint8Array {
  const now = new Date();
  const modified = now.toISOString();
  const lines = records.map((record) =>
    JSON.stringify({ ...record, modified }).replaceAll(/("fixed":"[^"]*)"/g, `$1+${now.getTime()}"`),
  );
  return gzipSync(lines.join('\n'), { level: 1 });
}
