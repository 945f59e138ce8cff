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
