/** A table: columns with their alignment, and cells as text. */
export interface PageTable {
  readonly columns: readonly (readonly [title: string, kind: 'text' | 'number'])[];
  readonly rows: readonly (readonly string[])[];
}

/** A part of the report. Paragraphs are plain text; those that begin with `- ` are items of a list. */
export interface Section {
  readonly title: string;
  readonly text: readonly string[];
  readonly table?: PageTable;
}

/** Formats a count. */
export function number(value: number): string {
  return value.toLocaleString('en-US');
}

/** Formats a share of 0 to 1. */
export function percent(share: number): string {
  return `${(share * 100).toFixed(2)} %`;
}

const columnsOfText = 118;

/** Formats sections as Markdown, with a final line break. */
export function markdownOf(title: string, introduction: string, sections: readonly Section[]): string {
  const parts = [
    [`# ${title}`, '', ...wrapped(introduction)],
    ...sections.map(({ title: name, text, table }) => [
      `## ${name}`,
      ...text.flatMap((paragraph, index) =>
        isItem(paragraph) && isItem(text[index - 1]) ? [paragraph] : ['', ...wrapped(paragraph)],
      ),
      ...(table === undefined ? [] : ['', ...tableLines(table)]),
    ]),
  ];
  return `${parts.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

function isItem(paragraph: string | undefined): boolean {
  return paragraph?.startsWith('- ') === true;
}

function wrapped(paragraph: string): readonly string[] {
  if (isItem(paragraph)) return [paragraph];
  const lines = [''];
  for (const word of paragraph.split(' ')) {
    const last = lines.at(-1) ?? '';
    if (last === '') lines[lines.length - 1] = word;
    else if (last.length + 1 + word.length > columnsOfText) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}

function tableLines({ columns, rows }: PageTable): readonly string[] {
  return [
    row(columns.map(([title]) => title)),
    `|${columns.map(([, kind]) => (kind === 'number' ? '--:' : '---')).join('|')}|`,
    ...rows.map(row),
  ];
}

function row(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;
}
