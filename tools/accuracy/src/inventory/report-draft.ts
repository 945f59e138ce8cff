import type { PackageFamily } from '@plimsoll/model';

/** A part of a report: what a command on the host printed. Left out: the host could not say it. */
export interface DraftSection {
  readonly name: string;
  readonly lines: readonly string[];
  /** The command's exit status. */
  readonly exit?: number;
}

/**
 * The report that a collector would have printed on a host (docs/report-format.md), so that every inventory is read by
 * the same parser as a real host's report.
 */
export function draftReport(family: PackageFamily, sections: readonly DraftSection[]): string {
  const lines = [`plimsoll-report 1 ${family} 1.0.0`];
  for (const { name, lines: content, exit = 0 } of sections) {
    lines.push(`@${name}`, ...content.map((line) => ` ${line}`), `@exit ${exit}`);
  }
  return [...lines, `@end ${sections.length} ${lines.length}`, ''].join('\n');
}

/** The lines of a text, without the empty one behind its last newline. */
export function linesOf(text: string): readonly string[] {
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}
