/** A table that cannot be read: the line and what is wrong with it. */
export interface CsvFault {
  readonly line: number;
  readonly detail: string;
}

/** A record of a table with the line on which it begins. */
export interface CsvRecord {
  readonly line: number;
  readonly cells: readonly string[];
}

/**
 * The records of a table (RFC 4180) with "," or ";" between its cells, whichever its first line has more of. Empty lines
 * are left out. Linear in the length of the text. An unclosed quote is a fault.
 */
export function csvRecords(text: string): {
  readonly records: readonly CsvRecord[];
  readonly faults: readonly CsvFault[];
} {
  const source = text.replace(/^\ufeff/, '');
  const head = source.slice(0, (source.search(/[\r\n]/) + 1 || source.length + 1) - 1);
  const separator = head.split(';').length > head.split(',').length ? ';' : ',';
  const records: CsvRecord[] = [];
  let [cells, cell, line, first, isQuoted] = [[] as string[], '', 1, 1, false];
  const endRecord = () => {
    const all = [...cells, cell].map((each) => each.trim());
    if (all.some((each) => each !== '')) records.push({ line: first, cells: all });
    [cells, cell, first] = [[], '', line];
  };
  for (let n = 0; n < source.length; n += 1) {
    const letter = source[n] ?? '';
    if (letter === '\n') line += 1;
    if (isQuoted) {
      if (letter !== '"') cell += letter;
      else if (source[n + 1] === '"') {
        cell += '"';
        n += 1;
      } else isQuoted = false;
    } else if (letter === '"' && cell.trim() === '') {
      isQuoted = true;
      cell = '';
    } else if (letter === separator) {
      cells.push(cell);
      cell = '';
    } else if (letter === '\n') endRecord();
    else if (letter !== '\r') cell += letter;
  }
  if (isQuoted) return { records, faults: [{ line: first, detail: 'A quoted cell is not closed.' }] };
  endRecord();
  return { records, faults: [] };
}
