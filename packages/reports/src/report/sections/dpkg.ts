import type { ReportSection } from '../report-section.ts';
import { holdsReplaced } from '../report-text.ts';
import type { SectionNotes } from '../section-rule.ts';

/** An installed package from dpkg. */
export interface DpkgPackage {
  readonly name: string;
  readonly architecture: string;
  readonly version: string;
  readonly sourceName: string;
  readonly sourceVersion: string;
  readonly held: boolean;
  /** Its report line. */
  readonly line: number;
}

/** `db:Status-Abbrev` of dpkg-query(1): desired action, status, error flag. */
const statusForm = /^[uihrp][ncHUFWti][ R]?$/;
/** Not installed, or removed except for its configuration. Packages in every other status have files on the disk. */
const absent = 'nc';
const columnCount = 6;

/**
 * Parses `dpkg`: the packages with files on the disk, in any status. A line that is not a package makes the report
 * invalid.
 */
export function parseDpkg({ lines, numbers }: ReportSection, notes: SectionNotes): readonly DpkgPackage[] {
  const packages: DpkgPackage[] = [];
  for (const [index, text] of lines.entries()) {
    if (text === '') continue;
    const line = numbers[index] ?? 0;
    const columns = text.split('\t');
    const [status = '', name = '', architecture = '', version = '', sourceName = '', sourceVersion = ''] =
      columns;
    if (columns.length !== columnCount) {
      notes.error(line, `has ${columns.length} columns between tabs, a package of dpkg has ${columnCount}`);
    } else if (!statusForm.test(status)) {
      notes.error(line, 'does not begin with a status of dpkg');
    } else if (holdsReplaced(text)) {
      notes.error(line, 'contains bytes that are not UTF-8');
    } else if (!absent.includes(status.charAt(1))) {
      const held = status.startsWith('h');
      packages.push({ name, architecture, version, sourceName, sourceVersion, held, line });
    }
  }
  return packages;
}
