import type { ReportSection } from '../report-section.ts';
import type { SectionNotes } from '../section-rule.ts';

/** apt's data on one package. */
export interface PackagePolicy {
  /** Its report line. */
  readonly line: number;
  /** Null for apt's `(none)`. */
  installed: string | null;
  candidate: string | null;
  /** The newest first, as in apt's output. */
  readonly versions: PolicyVersion[];
}

/** One version of a package with its sources. */
export interface PolicyVersion {
  readonly version: string;
  /** The percentage of hosts it is offered to so far; null if offered to all. */
  readonly phasedPercent: number | null;
  /** Descriptions of the package files that contain it. */
  readonly files: string[];
}

/** By apt's name: with an architecture only if foreign, `libc6:i386`. */
export type AptPolicyFacts = ReadonlyMap<string, PackagePolicy>;

/** The largest number of versions and files read per package; real ones have about ten. */
const maxEntries = 400;

const headerForm = /^(\S+):$/;
const versionForm = /^(?: {5}| \*{3} )(\S+)(?: -?\d+)?(?: \(phased (\d{1,3})%\))?$/;
const fileForm = /^ {6,}-?\d+ (\S.*)$/;
const passedOver = /^(?:| {2}Version table:| {2}Package pin: .*)$/;

/**
 * Parses `apt-policy`: apt-cache policy with names. Skips and notes lines that are not apt's English, because their
 * facts are then unknown.
 */
export function parseAptPolicy({ lines, numbers }: ReportSection, notes: SectionNotes): AptPolicyFacts {
  const reader = new PolicyReader();
  let strange = 0;
  for (const [index, line] of lines.entries()) {
    const number = numbers[index] ?? 0;
    if (reader.read(line, number) || passedOver.test(line)) continue;
    strange++;
    notes.warn(number, 'is not understood as a line of apt-cache policy');
  }
  if (strange > 0) notes.fail(`${strange} of its lines were not understood`);
  if (reader.leftOut > 0) notes.fail(`${reader.leftOut} versions and files were too many for one package`);
  return reader.policies;
}

class PolicyReader {
  readonly policies = new Map<string, PackagePolicy>();
  leftOut = 0;
  private package: PackagePolicy | null = null;
  private version: PolicyVersion | null = null;
  private entries = 0;

  /** Processes one line; false if it is not apt's. */
  read(line: string, number: number): boolean {
    if (line.charCodeAt(0) !== 0x20) return this.readHeader(line, number);
    if (this.package === null) return false;
    return this.readFile(line) || this.readVersion(line) || readVersionInUse(line, this.package);
  }

  private readHeader(line: string, number: number): boolean {
    const name = headerForm.exec(line)?.[1];
    if (name === undefined) return false;
    this.package = { line: number, installed: null, candidate: null, versions: [] };
    this.version = null;
    this.entries = 0;
    this.policies.set(name, this.package);
    return true;
  }

  private readFile(line: string): boolean {
    const file = this.version === null ? undefined : fileForm.exec(line)?.[1];
    if (file === undefined) return false;
    if (this.hasRoom()) this.version?.files.push(file);
    return true;
  }

  private readVersion(line: string): boolean {
    const version = parseVersion(line);
    if (version === null) return false;
    this.version = version;
    if (this.hasRoom()) this.package?.versions.push(version);
    return true;
  }

  private hasRoom(): boolean {
    this.entries++;
    if (this.entries > maxEntries) this.leftOut++;
    return this.entries <= maxEntries;
  }
}

function parseVersion(line: string): PolicyVersion | null {
  const [, version, phased] = versionForm.exec(line) ?? [];
  if (version === undefined) return null;
  return { version, phasedPercent: phased === undefined ? null : Number(phased), files: [] };
}

const installedPrefix = '  Installed: ';
const candidatePrefix = '  Candidate: ';

function readVersionInUse(line: string, policy: PackagePolicy): boolean {
  if (line.startsWith(installedPrefix)) policy.installed = versionOrNone(line.slice(installedPrefix.length));
  else if (line.startsWith(candidatePrefix))
    policy.candidate = versionOrNone(line.slice(candidatePrefix.length));
  else return false;
  return true;
}

function versionOrNone(text: string): string | null {
  return text === '(none)' ? null : text;
}
