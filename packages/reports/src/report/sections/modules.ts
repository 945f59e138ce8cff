import type { ReportSection } from '../report-section.ts';
import { tabbedLines } from '../tabbed-lines.ts';

/** An enabled stream of a module. The stream is text: "1.10" is not "1.1". */
export interface EnabledModule {
  readonly name: string;
  readonly stream: string;
}

/** Parses `modules`. */
export function parseModules(section: ReportSection): readonly EnabledModule[] {
  return tabbedLines(section).map(({ key, value }) => ({ name: key, stream: value }));
}
