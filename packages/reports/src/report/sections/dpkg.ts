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
/** The words of `Status`, for dpkg before 1.16.2, which does not have the short form, as in that. */
const statusWords: Readonly<Record<string, string>> = {
  ...{ unknown: 'u', install: 'i', hold: 'h', deinstall: 'r', purge: 'p', ok: ' ', reinstreq: 'R' },
  ...{ 'not-installed': 'n', 'config-files': 'c', 'half-installed': 'H', unpacked: 'U' },
  ...{ 'half-configured': 'F', 'triggers-awaited': 'W', 'triggers-pending': 't', installed: 'i' },
};
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
  let hasUnstated = false;
  for (const [index, text] of lines.entries()) {
    if (text === '') continue;
    const line = numbers[index] ?? 0;
    const columns = text.split('\t');
    const status = abbreviated(columns[0] ?? '');
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
      hasUnstated ||= columns[0] === '';
      packages.push(packageOf(columns, status, line));
    }
  }
  if (hasUnstated) notes.fail('dpkg does not state which of the packages are removed');
  return packages;
}

function packageOf(columns: readonly string[], status: string, line: number): DpkgPackage {
  const [, name = '', architecture = '', version = '', source = '', ownVersion = ''] = columns;
  // `Source` of dpkg before 1.16.2: `glibc (2.15-0)`.
  const [, sourceName = source, sourceVersion = ownVersion] = /^(\S+) \((\S+)\)$/.exec(source) ?? [];
  const broken = status.endsWith('R') ? 'half_installed' : (brokenStates[status.charAt(1)] ?? null);
  const held = status.startsWith('h');
  const configured = columns[6] ?? null;
  return { name, architecture, version, sourceName, sourceVersion, held, broken, configured, line };
}

/**
 * The short form of a `Status`, which dpkg before 1.16.2 does not know. Its report by a collector before 0.4.0 has none, and such
 * a package counts as installed.
 */
function abbreviated(status: string): string {
  if (status === '') return 'ii ';
  const [want, error, state, ...rest] = status.split(' ').map((word) => statusWords[word] ?? '');
  return status.length > 3 && rest.length === 0 ? `${want}${state}${error}` : status;
}
