/**
 * The job id BullMQ gets for a dedup key. Distinct keys have distinct ids, and every id is legal there: no colon, not
 * an integer, not empty (Job.validateOptions of BullMQ; an empty one would be replaced by a counter). Throws URIError
 * on text that is no Unicode.
 */
export function jobId(dedupKey: string): string {
  const encoded = encodeURIComponent(dedupKey);
  // "%" is followed by hex digits in an encoded text, so the mark cannot meet another key's id.
  return /^-?\d*$/.test(encoded) ? `%_${encoded}` : encoded;
}
