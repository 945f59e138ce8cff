import type { ReportSection } from '../report-section.ts';

/** The variables of os-release(5) with their report lines. */
export interface OsReleaseFacts {
  readonly values: ReadonlyMap<string, string>;
  readonly lines: ReadonlyMap<string, number>;
}

/** The collector writes the carriage return of a file made on Windows as "?". */
const assignment = /^([A-Za-z_][A-Za-z0-9_]*)=(.*?)\??$/;

/** Parses `os-release`: shell assignments. Skips other lines, as os-release(5) requires. */
export function parseOsRelease({ lines, numbers }: ReportSection): OsReleaseFacts {
  const values = new Map<string, string>();
  const places = new Map<string, number>();
  for (const [index, line] of lines.entries()) {
    const [, name, value] = assignment.exec(line.trim()) ?? [];
    if (name === undefined || value === undefined) continue;
    values.set(name, unquote(value));
    places.set(name, numbers[index] ?? 0);
  }
  return { values, lines: places };
}

function unquote(value: string): string {
  const quote = value.charAt(0);
  if (value.length < 2 || !value.endsWith(quote)) return value;
  if (quote === "'") return value.slice(1, -1);
  return quote === '"' ? value.slice(1, -1).replace(/\\([$"\\`])/g, '$1') : value;
}
