import type { PackageFamily } from '@plimsoll/model';

/** A section of a report: the output of a command on the host. An absent section is unknown. */
export interface DraftSection {
  readonly name: string;
  readonly lines: readonly string[];
  /** The command's exit status. */
  readonly exit?: number;
}

/**
 * Builds the report that a collector would print on a host (docs/report-format.md), so that every inventory uses the
 * same parser as a real report.
 */
export function draftReport(family: PackageFamily, sections: readonly DraftSection[]): string {
  const lines = [`plimsoll-report 1 ${family} 1.0.0`];
  for (const { name, lines: content, exit = 0 } of sections) {
    lines.push(`@${name}`, ...content.map((line) => ` ${line}`), `@exit ${exit}`);
  }
  return [...lines, `@end ${sections.length} ${lines.length}`, ''].join('\n');
}

/** The lines of a text, without the empty one after its last newline. */
export function linesOf(text: string): readonly string[] {
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}
