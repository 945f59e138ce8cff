import { Buffer } from 'node:buffer';

const byteOrderMark = '\ufeff';

/** The bytes of a report; half surrogates in text become U+FFFD. */
export function reportBytes(report: Uint8Array | string): Uint8Array {
  return typeof report === 'string' ? Buffer.from(report, 'utf8') : report;
}

/** The text of a report: bytes that are not UTF-8 become U+FFFD, a byte order mark is left out. */
export function reportText(bytes: Uint8Array): string {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  return text.startsWith(byteOrderMark) ? text.slice(1) : text;
}

/** Whether bytes of a text were not UTF-8: what it names is then not known to the letter. */
export function holdsReplaced(text: string): boolean {
  return text.includes('\ufffd');
}
