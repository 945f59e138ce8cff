import type { ReportSection } from '../report-section.ts';
import type { SectionNotes } from '../section-rule.ts';

/** A package that the simulated upgrade would install. */
export interface SimulatedInstall {
  /** apt's name: with an architecture only if foreign. */
  readonly name: string;
  /** Empty if the package is not installed. */
  readonly installedVersion: string;
  readonly candidateVersion: string;
  /** Its source in apt's words: `Debian:12.11/stable, Debian-Security:12/stable-security`. */
  readonly releases: string;
  readonly architecture: string;
  /** Its report line. */
  readonly line: number;
}

/** The result of a simulated upgrade. */
export interface AptUpgradeFacts {
  readonly installs: readonly SimulatedInstall[];
  /** Names that it would not upgrade, because they are held or blocked. */
  readonly keptBack: ReadonlySet<string>;
  /** Names that are offered to other hosts first. */
  readonly deferred: ReadonlySet<string>;
}

const installForm = /^Inst (\S+)(?: \[([^\]\s]+)\])? \((\S+) (?:(.*) )?\[([^\]\s]+)\]\)/;
const oldSummary =
  /^(\d+) upgraded, (\d+) newly installed, (?:(\d+) reinstalled, )?(?:(\d+) downgraded, )?\d+ to remove/;
const newSummary =
  /^ *Upgrading: (\d+), Installing: (\d+), (?:Reinstalling: (\d+), )?(?:Downgrading: (\d+), )?Removing: \d+/;
const keptBackHeading = /^(?:The following packages have been kept back|Not upgrading):/;
const deferredHeading =
  /^(?:The following upgrades have been deferred due to phasing|Not upgrading yet due to phasing):/;

/**
 * Parses `apt-upgrade`: apt-get -s dist-upgrade. Without its summary line, or with a different number of packages than
 * the summary, the result is unknown.
 */
export function parseAptUpgrade(
  { lines, numbers }: ReportSection,
  notes: SectionNotes,
): AptUpgradeFacts | null {
  const installs: SimulatedInstall[] = [];
  const keptBack = new Set<string>();
  const deferred = new Set<string>();
  let list: Set<string> | null = null;
  let counted: number | null = null;
  let unread: number | null = null;
  for (const [index, line] of lines.entries()) {
    const number = numbers[index] ?? 0;
    if (line.startsWith('Inst ')) {
      const install = readInstall(line, number);
      if (install === null) unread ??= number;
      else installs.push(install);
    } else if (list !== null && line.startsWith('  ')) {
      for (const name of line.split(' ')) if (name !== '') list.add(name);
      continue;
    } else {
      counted ??= readSummary(line);
    }
    list = keptBackHeading.test(line) ? keptBack : deferredHeading.test(line) ? deferred : null;
  }
  if (unread !== null) notes.fail(`line ${unread} was not understood`);
  else if (counted === null) notes.fail('it has no summary of the upgrade');
  else if (counted !== installs.length)
    notes.fail(`it names ${installs.length} packages, but counts ${counted}`);
  else return { installs, keptBack, deferred };
  return null;
}

function readInstall(text: string, line: number): SimulatedInstall | null {
  const [, name, installedVersion = '', candidateVersion, releases = '', architecture] =
    installForm.exec(text) ?? [];
  if (name === undefined || candidateVersion === undefined || architecture === undefined) return null;
  return { name, installedVersion, candidateVersion, releases, architecture, line };
}

function readSummary(line: string): number | null {
  const counts = oldSummary.exec(line) ?? newSummary.exec(line);
  return counts === null ? null : counts.slice(1).reduce((sum, count = '0') => sum + Number(count), 0);
}
