import type { Snapshot } from '@plimsoll/model';
import { type ParsedReport, parseReport } from '../../src/index.ts';

/** The arrival time of all parsed reports. */
export const receivedAt = new Date('2026-11-20T12:00:00Z');

/** A section to build: its text, or its text with exit status and error output; null omits it. */
export type SectionText =
  | string
  | null
  | { readonly text?: string; readonly exit: number; readonly said?: string };

/** Sections by name, in report order. */
export type Sections = Readonly<Record<string, SectionText>>;

/** A whole report of the given sections. */
export function buildReport(family: string, sections: Sections): string {
  const present = Object.entries(sections).filter(([, section]) => section !== null);
  const body = present.flatMap(([name, section]) => sectionLines(name, section ?? ''));
  const lines = [`plimsoll-report 1 ${family} 1.0.0`, ...body];
  return `${lines.join('\n')}\n@end ${present.length} ${lines.length}\n`;
}

function sectionLines(name: string, section: Exclude<SectionText, null>): readonly string[] {
  const { text = '', exit, said = '' } = typeof section === 'string' ? { text: section, exit: 0 } : section;
  return [`@${name}`, ...prefixed(' ', text), ...prefixed('!', said), `@exit ${exit}`];
}

function prefixed(mark: string, text: string): readonly string[] {
  return text === ''
    ? []
    : text
        .replace(/\n$/, '')
        .split('\n')
        .map((line) => `${mark}${line}`);
}

const common: Sections = {
  observed: 'collected_at\t1795180000\nbooted_at\t1795000000\nboot_id\tboot-1',
};

const still: Sections = { 'deleted-files': '' };

/** A Debian 12 host with bash and every expected section. */
export const debian: Sections = {
  ...common,
  'os-release':
    'PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\nVERSION_ID="12"\nVERSION_CODENAME=bookworm\nID=debian',
  platform:
    'architecture\tamd64\nhostname\tweb-1\nmachine_id\tabc\nvirtualization\tkvm\ndebian_version\t12.11',
  kernel: 'release\t6.1.0-29-amd64\nversion\t#1 SMP PREEMPT_DYNAMIC Debian 6.1.123-1 (2025-01-02)',
  reboot: 'flag\tno',
  ...still,
  dpkg: 'ii \tbash\tamd64\t5.2.15-2+b8\tbash\t5.2.15-2',
  'apt-files': `Package files:
 100 /var/lib/dpkg/status
     release a=now
 500 http://security.debian.org/debian-security bookworm-security/main amd64 Packages
     release v=12,o=Debian,a=stable-security,n=bookworm-security,l=Debian-Security,c=main,b=amd64
     origin security.debian.org
 500 http://deb.debian.org/debian bookworm/main amd64 Packages
     release v=12.11,o=Debian,a=stable,n=bookworm,l=Debian,c=main,b=amd64
     origin deb.debian.org
 500 https://packages.sury.org/php bookworm/main amd64 Packages
     release o=deb.sury.org,n=bookworm,c=main,b=amd64
     origin packages.sury.org
 500 https://pkgs.example.com/apt ./ Packages
     release c=
     origin pkgs.example.com
Pinned packages:`,
  'apt-policy': `bash:
  Installed: 5.2.15-2+b8
  Candidate: 5.2.15-2+b8
  Version table:
 *** 5.2.15-2+b8 500
        500 http://deb.debian.org/debian bookworm/main amd64 Packages
        100 /var/lib/dpkg/status`,
  'apt-upgrade': 'Calculating upgrade...\n0 upgraded, 0 newly installed, 0 to remove and 0 not upgraded.',
  'apt-candidates': '',
  'apt-sources': 'deb http://deb.debian.org/debian bookworm main',
};

/** An AlmaLinux 9 host with bash and every expected section. */
export const alma: Sections = {
  ...common,
  'os-release':
    'NAME="AlmaLinux"\nID="almalinux"\nVERSION_ID="9.5"\nPRETTY_NAME="AlmaLinux 9.5 (Teal Serval)"',
  platform: 'architecture\tx86_64\nhostname\tdb-1\nmachine_id\tdef\nvirtualization\tnone',
  kernel:
    'release\t5.14.0-503.11.1.el9_5.x86_64\nversion\t#1 SMP PREEMPT_DYNAMIC Tue Nov 12 09:26:13 EST 2024',
  reboot: 'flag\tno\nneeds-restarting\t0\nsays\tReboot should not be necessary.',
  ...still,
  rpm: rpmRow('bash', '5.1.8-9.el9'),
  modules: '',
  updates: 'tool\tdnf',
  locks: '',
  advisories: 'tool\tdnf',
  repositories: 'tool\tdnf\nRepo-id      : baseos\nRepo-baseurl : https://repo.example.com/baseos',
};

/** The columns of one row of the section rpm. */
export interface RpmRow {
  readonly epoch?: string;
  readonly architecture?: string;
  readonly source?: string;
  readonly vendor?: string;
  readonly module?: string;
  readonly time?: string;
  readonly signature?: string;
}

/** A row of the section rpm. */
export function rpmRow(name: string, versionRelease: string, more: RpmRow = {}): string {
  const dash = versionRelease.lastIndexOf('-');
  const [version, release] =
    dash < 0 ? [versionRelease, ''] : [versionRelease.slice(0, dash), versionRelease.slice(dash + 1)];
  const { epoch = '(none)', architecture = 'x86_64', vendor = 'AlmaLinux', module = '(none)' } = more;
  const { time = '1700000000', signature = '(none)' } = more;
  const source = more.source ?? `${name}-${versionRelease}.src.rpm`;
  return [name, epoch, version, release, architecture, source, vendor, module, time, signature].join('\t');
}

/** Parses a report of `debian` with some of its sections changed. */
export function parseDebian(changes: Sections = {}): ParsedReport {
  return parseReport(buildReport('apt', { ...debian, ...changes }), { receivedAt });
}

/** Parses a report of `alma` with some of its sections changed. */
export function parseAlma(changes: Sections = {}): ParsedReport {
  return parseReport(buildReport('rpm', { ...alma, ...changes }), { receivedAt });
}

/** The snapshot of a report that must have one. */
export function snapshotOf(parsed: ParsedReport): Snapshot {
  if (parsed.kind !== 'snapshot') throw new Error(JSON.stringify(parsed.errors));
  return parsed.snapshot;
}

/** The snapshot of `debian` with some of its sections changed. */
export function debianSnapshot(changes: Sections = {}): Snapshot {
  return snapshotOf(parseDebian(changes));
}

/** The snapshot of `alma` with some of its sections changed. */
export function almaSnapshot(changes: Sections = {}): Snapshot {
  return snapshotOf(parseAlma(changes));
}

/** Failures as `section: detail`. */
export function failuresOf(snapshot: Snapshot): readonly string[] {
  return snapshot.failures.map(({ section, detail }) => `${section}: ${detail}`);
}

/** The errors of a report that must have some, as `line 12: what`. */
export function errorsOf(parsed: ParsedReport): readonly string[] {
  if (parsed.kind === 'snapshot') throw new Error('was accepted');
  return parsed.errors.map(({ pointer, detail }) => `${pointer}: ${detail}`);
}
