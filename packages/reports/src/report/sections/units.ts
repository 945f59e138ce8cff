import type { ReportSection } from '../report-section.ts';
import { tabbedLines } from '../tabbed-lines.ts';

/** Parses `units`: the names of the units of systemd that failed. */
export function parseUnits(section: ReportSection): readonly string[] {
  return tabbedLines(section).flatMap(({ key, value }) => (key === 'failed' && value !== '' ? [value] : []));
}
