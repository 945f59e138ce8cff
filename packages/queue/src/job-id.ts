/**
 * The BullMQ job id for a dedup key. Distinct keys have distinct ids, and every id is valid: no colon, not an integer,
 * not empty (Job.validateOptions of BullMQ, which would replace an empty id by a counter). Throws URIError on text that
 * is not valid Unicode.
 */
export function jobId(dedupKey: string): string {
  const encoded = encodeURIComponent(dedupKey);
  // In encoded text, hex digits follow every "%", so this prefix cannot collide with another key's id.
  return /^-?\d*$/.test(encoded) ? `%_${encoded}` : encoded;
}
