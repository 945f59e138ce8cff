import type { BrokenState } from '@plimsoll/model';
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
  /** What of its installation did not end; null: it did. */
  readonly broken: BrokenState | null;
  /** The version that was configured last; empty: none was. Null: collectors before 0.4.0 do not say it. */
  readonly configured: string | null;
  /** Its report line. */
  readonly line: number;
}

/** `db:Status-Abbrev` of dpkg-query(1): desired action, status, error flag (reinstallation required). */
const statusForm = /^[uihrp][ncHUFWti][ R]?$/;
const brokenStates: Readonly<Record<string, BrokenState>> = {
  H: 'half_installed',
  U: 'unpacked',
  F: 'half_configured',
  W: 'triggers',
  t: 'triggers',
};
/** Not installed, or removed except for its configuration. Packages in every other status have files on the disk. */
const absent = 'nc';
/** Without and with `Config-Version`. */
const columnCounts = [6, 7];

/**
 * Parses `dpkg`: the packages with files on the disk, in any status. One that is half installed can have no version. A
 * line that is not a package is left out.
 */
export function parseDpkg({ lines, numbers }: ReportSection, notes: SectionNotes): readonly DpkgPackage[] {
  const packages: DpkgPackage[] = [];
  for (const [index, text] of lines.entries()) {
    if (text === '') continue;
    const line = numbers[index] ?? 0;
    const columns = text.split('\t');
    const [status = '', name = '', architecture = '', version = '', sourceName = '', sourceVersion = ''] =
      columns;
    const configured = columns[6] ?? null;
    if (!columnCounts.includes(columns.length)) {
      notes.leaveOut(
        line,
        `has ${columns.length} columns between tabs, a package of dpkg has ${columnCounts[0]}`,
      );
    } else if (!statusForm.test(status)) {
      notes.leaveOut(line, 'does not begin with a status of dpkg');
    } else if (holdsReplaced(text)) {
      notes.leaveOut(line, 'contains bytes that are not UTF-8');
    } else if (!absent.includes(status.charAt(1))) {
      const held = status.startsWith('h');
      const state = brokenStates[status.charAt(1)] ?? null;
      const broken = status.endsWith('R') ? 'half_installed' : state;
      packages.push({
        name,
        architecture,
        version,
        sourceName,
        sourceVersion,
        held,
        broken,
        configured,
        line,
      });
    }
  }
  return packages;
}
