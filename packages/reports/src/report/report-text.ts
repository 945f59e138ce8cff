import { Buffer } from 'node:buffer';

const byteOrderMark = '\ufeff';

/** The bytes of a report; unpaired surrogates become U+FFFD. */
export function reportBytes(report: Uint8Array | string): Uint8Array {
  return typeof report === 'string' ? Buffer.from(report, 'utf8') : report;
}

/** The text of a report: invalid UTF-8 becomes U+FFFD; a byte order mark is removed. */
export function reportText(bytes: Uint8Array): string {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  return text.startsWith(byteOrderMark) ? text.slice(1) : text;
}

/** Whether a text contained invalid UTF-8: its names are then not exact. */
export function holdsReplaced(text: string): boolean {
  return text.includes('\ufffd');
}
