import { inflateSync } from 'node:zlib';

/** The scale of a page that Chromium prints at full size: 96 pixels an inch as 300 dots. */
export const fullSize = 3.125;

/**
 * The scales of the pages of a PDF that Chromium printed: all are made smaller if anything is wider than the paper. Emulated print
 * shows what is too wide on one long page, but not what becomes so where a page ends.
 */
export function pdfScales(pdf: Buffer): readonly number[] {
  const starts = [...pdf.toString('latin1').matchAll(/\bstream\r?\n/g)];
  return starts.flatMap(({ index, 0: { length } }) => {
    const scale = /^[-\d.]+(?: [-\d.]+){5} cm\s+q\s[^Q]*?\sq\s+([\d.]+) 0 0 \1 /.exec(
      inflated(pdf.subarray(index + length)),
    )?.[1];
    return scale === undefined ? [] : [Number(scale)];
  });
}

/** The beginning of a compressed stream as text; empty for one that is not. */
function inflated(bytes: Buffer): string {
  try {
    // Z_SYNC_FLUSH: what follows the stream is no part of it.
    return inflateSync(bytes, { finishFlush: 2 }).toString('latin1').slice(0, 500);
  } catch {
    return '';
  }
}
