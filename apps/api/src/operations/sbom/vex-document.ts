import { setImmediate as nextTurn } from 'node:timers/promises';
import { AppError } from '@plimsoll/model';
import { csafVexOf } from './csaf-vex.ts';
import { openVexOf } from './openvex.ts';
import type { VexContent } from './vex-content.ts';
import type { VexMetadata } from './vex-metadata.ts';

/** A document in parts, which are JSON only together. */
export function vexDocument(
  content: VexContent,
  {
    format,
    origin,
    metadata,
  }: { readonly format: 'openvex' | 'csaf'; readonly origin: string; readonly metadata: VexMetadata },
): Iterable<string> {
  return format === 'openvex' ? openVexOf(content, metadata) : csafVexOf(content, metadata, origin);
}

/** Throws `conflict` for content without a statement, of which these formats have no document. */
export function requireStatements({ packages }: VexContent): void {
  // None would also read as "nothing is affected".
  if (packages.length === 0)
    throw new AppError(
      'conflict',
      'No open vulnerability is known here, and the format has no document without statements. The CycloneDX document says what is known.',
    );
}

/** Characters that are sent at once. */
const pieceLength = 65_536;

/** Parts of a text joined to pieces. The process serves other requests between two pieces. */
export async function* inPieces(parts: Iterable<string>): AsyncGenerator<string> {
  let piece = '';
  for (const part of parts) {
    piece += part;
    if (piece.length < pieceLength) continue;
    yield piece;
    piece = '';
    await nextTurn();
  }
  if (piece !== '') yield piece;
}
