import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { hashOfEvent, type KnownLink, readExportLine } from '@plimsoll/db';
import { StartError } from '../service/start-error.ts';

/** The positions in an exported file. */
export interface ExportRange {
  readonly first: number;
  readonly last: number;
  /** Positions between them that the file does not have. */
  readonly missing: number;
  /** The first of these; null: none is missing. */
  readonly firstMissing: number | null;
}

/** An exported file of audit events. */
export interface ExportedFile {
  /**
   * Its links, each position once and in ascending order. Rejects if a line is none, or does not have the hash that follows
   * from the line before it.
   */
  readonly links: AsyncIterable<KnownLink>;
  /** The positions read so far; null before the first. */
  range(): ExportRange | null;
}

/** Reads an exported file of JSON lines once, as its links are taken. */
export function readExport(file: string): ExportedFile {
  let range: ExportRange | null = null;
  return { links: links(), range: () => range };

  async function* links(): AsyncIterable<KnownLink> {
    const lines = createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY });
    let last: KnownLink | null = null;
    let number = 0;
    for await (const text of lines) {
      number += 1;
      if (text === '') continue;
      const link = readExportLine(text);
      if (link === null) throw new StartError(`Line ${number} of ${file} is no exported event.`);
      // A batch that was sent twice repeats its positions.
      if (last !== null && link.position <= last.position) continue;
      const follows = last !== null && link.position === last.position + 1;
      if (follows && hashOfEvent((last as KnownLink).hash, link.text) !== link.hash)
        throw new StartError(
          `Line ${number} of ${file} was changed: its hash does not follow from the line before.`,
        );
      range = extended(range, link.position);
      last = link;
      yield { position: link.position, hash: link.hash };
    }
  }
}

function extended(range: ExportRange | null, position: number): ExportRange {
  if (range === null) return { first: position, last: position, missing: 0, firstMissing: null };
  const gap = position - range.last - 1;
  return {
    first: range.first,
    last: position,
    missing: range.missing + gap,
    firstMissing: range.firstMissing ?? (gap > 0 ? range.last + 1 : null),
  };
}
