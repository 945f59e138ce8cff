import type { Lifecycle, Platform, Release, Repository } from '@plimsoll/model';
import type { ReleaseVerdict } from '../../distribution.ts';

interface DebianRelease {
  readonly codename: string;
  /** Last day of support, including long-term support, which is free for all; null while not set. */
  readonly lastDay: string | null;
  /** Last day of Freexian's Extended LTS, a paid service. */
  readonly lastEltsDay?: string;
}

/** Release and end-of-life dates of distro-info-data. */
const releases: ReadonlyMap<string, DebianRelease> = new Map([
  ['4', { codename: 'etch', lastDay: '2010-02-15' }],
  ['5', { codename: 'lenny', lastDay: '2012-02-06' }],
  ['6', { codename: 'squeeze', lastDay: '2016-02-29' }],
  ['7', { codename: 'wheezy', lastDay: '2018-05-31', lastEltsDay: '2020-06-30' }],
  ['8', { codename: 'jessie', lastDay: '2020-06-30', lastEltsDay: '2025-06-30' }],
  ['9', { codename: 'stretch', lastDay: '2022-06-30', lastEltsDay: '2027-06-30' }],
  ['10', { codename: 'buster', lastDay: '2024-06-30', lastEltsDay: '2029-06-30' }],
  ['11', { codename: 'bullseye', lastDay: '2026-08-31', lastEltsDay: '2031-06-30' }],
  ['12', { codename: 'bookworm', lastDay: '2028-06-30', lastEltsDay: '2033-06-30' }],
  ['13', { codename: 'trixie', lastDay: '2030-06-30', lastEltsDay: '2035-06-30' }],
  ['14', { codename: 'forky', lastDay: null }],
  ['15', { codename: 'duke', lastDay: null }],
]);

const codenames: ReadonlySet<string> = new Set([...releases.values()].map(({ codename }) => codename));

/** Codenames of derivatives, with the number of the release whose packages they share, from their sites. */
const sharedCodenames: ReadonlyMap<string, string> = new Map([
  // Devuan: Debian's packages without systemd, https://www.devuan.org/os/releases.
  ['ascii', '9'],
  ['beowulf', '10'],
  ['chimaera', '11'],
  ['daedalus', '12'],
  ['excalibur', '13'],
  // The Debian edition of Linux Mint, and elementary OS.
  ['betsy', '8'],
  ['cindy', '9'],
  ['debbie', '10'],
  ['elsie', '11'],
  ['faye', '12'],
  ['gigi', '13'],
]);

/** Suites that never become a numbered release; `ceres` is Devuan's unstable. */
const rollingSuites: ReadonlySet<string> = new Set(['sid', 'unstable', 'experimental', 'rc-buggy', 'ceres']);

const prefix = 'debian:';
const releaseNumber = /^\d{1,3}$/;
const dayMs = 86_400_000;

/** The number of the release with a codename, or whose packages its derivative shares: `12` for `bookworm`, `faye`; else null. */
export function numberOfDebianCodename(codename: string): string | null {
  const [own] = [...releases].find(([, release]) => release.codename === codename) ?? [];
  return own ?? sharedCodenames.get(codename) ?? null;
}

/** `debian:12` for the number `12`; null for other text. */
export function debianRelease(number: string): Release | null {
  return releaseNumber.test(number) ? (`${prefix}${number}` as Release) : null; // The only place that makes them.
}

/** Whether a release belongs to Debian. */
export function isDebianRelease(release: Release): boolean {
  return release.startsWith(prefix);
}

/** `trixie/sid`: testing or unstable, which one is not known. */
const unreleased = /\/sid\b/;

/**
 * The Debian release of a platform: that of its codename, because systems made of Debian's packages have numbers of their own
 * under Debian's `ID`; else that of `VERSION_ID`, if Debian has such a release or it is the next one. Testing and unstable have none.
 */
export function releaseOfPlatform(platform: Platform): ReleaseVerdict {
  if (platform.osId !== 'debian') return { kind: 'unsupported', reason: 'other_distribution' };
  const named = unreleased.test(platform.osPrettyName) ? null : numberOfDebianCodename(platform.osCodename);
  const [major = ''] = platform.osVersionId.split('.', 1);
  const isNumbered = releases.has(major) || releases.has(String(Number(major) - 1));
  const isRolling = rollingSuites.has(platform.osCodename);
  const release = debianRelease(named ?? (isNumbered && !isRolling ? major : ''));
  if (release === null) return { kind: 'unsupported', reason: 'no_release_number' };
  return { kind: 'release', release, scheme: 'dpkg' };
}

/** The end of support of a Debian release, and of Extended LTS: the day after each last day, UTC. */
export function lifecycleOf(release: Release): Lifecycle | null {
  const { lastDay = null, lastEltsDay } = factsOf(release) ?? {};
  if (lastDay === null) return null;
  if (lastEltsDay === undefined) return { endsAt: dayAfter(lastDay) };
  const elts = { service: eltsService, endsAt: dayAfter(lastEltsDay), byOthers: true } as const;
  return { endsAt: dayAfter(lastDay), extended: [elts] };
}

const eltsService = 'elts';
const eltsArchive = /\/extended-lts(?:\/|$)/i;

/** Extended LTS, if a host's sources have its archive. */
export function servicesIn(repositories: readonly Repository[]): readonly string[] {
  return repositories.some(({ enabled, url }) => enabled && eltsArchive.test(url)) ? [eltsService] : [];
}

function dayAfter(day: string): Date {
  return new Date(Date.parse(`${day}T00:00:00Z`) + dayMs);
}

/**
 * Whether a suite belongs to another release than the host's: `trixie-security` or `sid` on Debian 12. False for
 * moving names (`stable`, `oldstable-security`) and unknown ones.
 */
export function isOtherReleasesSuite(suite: string, release: Release): boolean {
  if (rollingSuites.has(suite)) return true;
  const codename = suite.split(/[-/]/, 1)[0] ?? '';
  return codenames.has(codename) && codename !== factsOf(release)?.codename;
}

function factsOf(release: Release): DebianRelease | undefined {
  return isDebianRelease(release) ? releases.get(release.slice(prefix.length)) : undefined;
}
