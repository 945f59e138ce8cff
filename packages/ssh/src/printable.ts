/** A host's text for use in a sentence: printable ASCII, white space folded, at most `limit` characters. */
export function printable(text: string, limit = 200): string {
  // Folded before truncation, but reading at most a few times the limit.
  const folded = text
    .slice(0, limit * 4)
    .replace(/\s+/g, ' ')
    .replace(/[^\x20-\x7e]/g, '')
    .trim();
  return folded.length > limit ? `${folded.slice(0, limit - 3)}...` : folded;
}

/** The last line of a host's output with readable text that is not `ours`, made printable; null without one. */
export function lastPrintableLine(output: Buffer, ours = ''): string | null {
  const lines = output
    .subarray(-4096)
    .toString('latin1')
    .split(/[\r\n]+/);
  return lines.map((line) => printable(line)).findLast((line) => line !== '' && line !== ours) ?? null;
}
