import type { ReportSection } from '../report-section.ts';

/** Parses `install-only`: the names of installed packages that may be installed in several versions. */
export function parseInstallOnly({ lines }: ReportSection): ReadonlySet<string> {
  return new Set(lines.map((line) => line.trim()).filter((name) => name !== ''));
}
