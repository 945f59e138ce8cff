import { LRUCache } from 'lru-cache';
import type { KeptRows } from './kept-rows.ts';

/** For further pages and equal questions: the rows of three questions about each of 100,000 hosts. */
const mostBytes = 24 * 2 ** 20;

/**
 * Keeps the answers that were asked for last, as many as there is room for. An answer that is larger
 * than all room is kept alone, because otherwise each of its pages would be counted anew: of a million hosts it takes 67 MB.
 */
export function keptAnswers<Answer extends { readonly rows: Pick<KeptRows, 'bytes'> }>(
  bytes = mostBytes,
): LRUCache<string, Answer> {
  return new LRUCache({
    maxSize: bytes,
    sizeCalculation: ({ rows }) => Math.min(rows.bytes, bytes),
  });
}
