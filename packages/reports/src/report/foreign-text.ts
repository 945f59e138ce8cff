import { LineCursor } from './line-cursor.ts';

/** The first characters of compressed files, read as UTF-8: gzip, zip, xz, bzip2, zstd. */
const compressedStarts = ['\u001f\ufffd', 'PK\u0003\u0004', '\ufffd7zXZ', 'BZh', '(\ufffd/\ufffd'];

/** Common files uploaded instead of a report. */
const others: readonly (readonly [(head: string) => boolean, string])[] = [
  [(head) => head.trim() === '', 'the report is empty'],
  [(head) => head.includes('p\0l\0i\0'), 'this is UTF-16 text; save the report as UTF-8'],
  [
    (head) => compressedStarts.some((start) => head.startsWith(start)),
    'this is a compressed file; send the text itself',
  ],
  [
    (head) => /^<(?:!doctype|html|head|body|\?xml)/i.test(head.trimStart()),
    'this is a web page, not a report',
  ],
  [(head) => head.startsWith('#!'), 'this is a script; run it on the host and send its output'],
  [(head) => /^[[{]/.test(head.trimStart()), 'this is JSON, not a report'],
  [(head) => /(?!\s)\p{Cc}/u.test(head), 'this is not text'],
];

const headLength = 512;
const maxLinesLookedThrough = 1_000;

/** Describes in one sentence a text whose first line is not a report's. */
export function describeForeignText(text: string): string {
  const head = text.slice(0, headLength);
  const start = lineOfHeader(text);
  if (start !== null) return `the report begins at line ${start}; send it without the text before`;
  const other = others.find(([isIt]) => isIt(head));
  return other === undefined
    ? 'this is not a report of the collector: a report begins with "plimsoll-report"'
    : other[1];
}

function lineOfHeader(text: string): number | null {
  const cursor = new LineCursor(text);
  while (cursor.number < maxLinesLookedThrough && cursor.next()) {
    if (cursor.line.startsWith('plimsoll-report ')) return cursor.number;
  }
  return null;
}
