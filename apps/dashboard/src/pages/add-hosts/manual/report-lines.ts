/** The line number in an error (`line 12`); null if the error is about the whole report. */
export function lineOf(pointer: string): number | null {
  const number = /^line (\d{1,9})$/.exec(pointer)?.[1];
  return number === undefined ? null : Number(number);
}

/** The text of some lines of a file, by line number from 1. */
export async function readLines(
  file: Blob,
  numbers: ReadonlySet<number>,
): Promise<ReadonlyMap<number, string>> {
  const found = new Map<number, string>();
  if (numbers.size === 0) return found;
  const text = await file.text();
  const last = Math.max(...numbers);
  for (let number = 1, from = 0; number <= last && from < text.length; number += 1) {
    const end = text.indexOf('\n', from);
    const to = end < 0 ? text.length : end;
    if (numbers.has(number)) found.set(number, text.slice(from, to));
    from = to + 1;
  }
  return found;
}
