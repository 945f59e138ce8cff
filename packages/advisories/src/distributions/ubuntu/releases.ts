import type { ExtendedSupport, Lifecycle, Platform, Release } from '@plimsoll/model';
import type { ReleaseVerdict } from '../../distribution.ts';

interface UbuntuRelease {
  readonly codename: string;
  /** Last day of free support. */
  readonly lastDay: string;
  /** Last day of Expanded Security Maintenance; null without it. */
  readonly lastEsmDay: string | null;
  /** Last day of its legacy add-on; null without it. */
  readonly lastLegacyDay: string | null;
}

function interim(codename: string, lastDay: string): UbuntuRelease {
  return { codename, lastDay, lastEsmDay: null, lastLegacyDay: null };
}

function lts(codename: string, lastDay: string, lastEsmDay: string, lastLegacyDay: string): UbuntuRelease {
  return { codename, lastDay, lastEsmDay, lastLegacyDay };
}

/** Release and end-of-life dates of distro-info-data: eol-server, eol-esm and eol-legacy. */
const releases: ReadonlyMap<string, UbuntuRelease> = new Map([
  ['8.04', interim('hardy', '2013-05-09')],
  ['8.10', interim('intrepid', '2010-04-30')],
  ['9.04', interim('jaunty', '2010-10-23')],
  ['9.10', interim('karmic', '2011-04-30')],
  ['10.04', interim('lucid', '2015-04-30')],
  ['10.10', interim('maverick', '2012-04-10')],
  ['11.04', interim('natty', '2012-10-28')],
  ['11.10', interim('oneiric', '2013-05-09')],
  ['12.04', { ...interim('precise', '2017-04-28'), lastEsmDay: '2019-04-26' }],
  ['12.10', interim('quantal', '2014-05-16')],
  ['13.04', interim('raring', '2014-01-27')],
  ['13.10', interim('saucy', '2014-07-17')],
  ['14.04', lts('trusty', '2019-04-25', '2024-04-25', '2026-04-28')],
  ['14.10', interim('utopic', '2015-07-23')],
  ['15.04', interim('vivid', '2016-02-04')],
  ['15.10', interim('wily', '2016-07-28')],
  ['16.04', lts('xenial', '2021-04-30', '2026-04-23', '2028-04-25')],
  ['16.10', interim('yakkety', '2017-07-20')],
  ['17.04', interim('zesty', '2018-01-13')],
  ['17.10', interim('artful', '2018-07-19')],
  ['18.04', lts('bionic', '2023-05-31', '2028-04-26', '2030-04-30')],
  ['18.10', interim('cosmic', '2019-07-18')],
  ['19.04', interim('disco', '2020-01-23')],
  ['19.10', interim('eoan', '2020-07-17')],
  ['20.04', lts('focal', '2025-05-29', '2030-04-23', '2032-04-27')],
  ['20.10', interim('groovy', '2021-07-22')],
  ['21.04', interim('hirsute', '2022-01-20')],
  ['21.10', interim('impish', '2022-07-14')],
  ['22.04', lts('jammy', '2027-06-01', '2032-04-21', '2034-04-25')],
  ['22.10', interim('kinetic', '2023-07-20')],
  ['23.04', interim('lunar', '2024-01-25')],
  ['23.10', interim('mantic', '2024-07-11')],
  ['24.04', lts('noble', '2029-05-31', '2034-04-25', '2036-04-29')],
  ['24.10', interim('oracular', '2025-07-10')],
  ['25.04', interim('plucky', '2026-01-15')],
  ['25.10', interim('questing', '2026-07-09')],
  ['26.04', lts('resolute', '2031-05-29', '2036-04-23', '2038-04-27')],
  ['26.10', interim('stonking', '2027-07-15')],
]);

const codenames: ReadonlySet<string> = new Set([...releases.values()].map(({ codename }) => codename));

/** Codenames of derivatives, with the number of the release whose packages they share, from their sites. */
const sharedCodenames: ReadonlyMap<string, string> = new Map([
  // Linux Mint, https://linuxmint.com/download_all.php.
  ['maya', '12.04'],
  ...['qiana', 'rebecca', 'rafaela', 'rosa'].map((name) => [name, '14.04'] as const),
  ...['sarah', 'serena', 'sonya', 'sylvia'].map((name) => [name, '16.04'] as const),
  ...['tara', 'tessa', 'tina', 'tricia'].map((name) => [name, '18.04'] as const),
  ...['ulyana', 'ulyssa', 'uma', 'una'].map((name) => [name, '20.04'] as const),
  ...['vanessa', 'vera', 'victoria', 'virginia'].map((name) => [name, '22.04'] as const),
  ...['wilma', 'xia', 'zara', 'zena'].map((name) => [name, '24.04'] as const),
  // elementary OS before it named Ubuntu's codename.
  ['loki', '16.04'],
  ['juno', '18.04'],
]);

const prefix = 'ubuntu:';
/** Ubuntu appears in April and October; 6.06 was late. */
const releaseNumber = /^(?:\d{1,2}\.(?:04|10)|6\.06)$/;
const pointRelease = /^(\d{1,2}\.\d{2})\.\d{1,2}$/;
const dayMs = 86_400_000;

/** The number of the release with a codename, or whose packages its derivative shares: `22.04` for `jammy`, `vera`; else null. */
export function numberOfUbuntuCodename(codename: string): string | null {
  const [own] = [...releases].find(([, release]) => release.codename === codename) ?? [];
  return own ?? sharedCodenames.get(codename) ?? null;
}

/** `ubuntu:22.04` for the number `22.04`; null for other text. */
export function ubuntuRelease(number: string): Release | null {
  return releaseNumber.test(number) ? (`${prefix}${number}` as Release) : null; // The only place that makes them.
}

/** Whether a release belongs to Ubuntu. */
export function isUbuntuRelease(release: Release): boolean {
  return release.startsWith(prefix);
}

/**
 * The Ubuntu release of a platform: that of its codename, else that of `VERSION_ID`; flavours such as Kubuntu are Ubuntu,
 * derivatives are not, see baseOf.
 */
export function releaseOfPlatform(platform: Platform): ReleaseVerdict {
  if (platform.osId !== 'ubuntu') return { kind: 'unsupported', reason: 'other_distribution' };
  const number =
    numberOfUbuntuCodename(platform.osCodename) ??
    pointRelease.exec(platform.osVersionId)?.[1] ??
    platform.osVersionId;
  const release = ubuntuRelease(number);
  if (release === null) return { kind: 'unsupported', reason: 'no_release_number' };
  return { kind: 'release', release, scheme: 'dpkg' };
}

/** The end of an Ubuntu release's support and of its subscription extensions: the day after each last day, UTC. */
export function lifecycleOf(release: Release): Lifecycle | null {
  const facts = factsOf(release);
  if (facts === undefined) return null;
  const extended: ExtendedSupport[] = [];
  if (facts.lastEsmDay !== null) extended.push({ service: 'esm-infra', endsAt: dayAfter(facts.lastEsmDay) });
  if (facts.lastLegacyDay !== null)
    extended.push({ service: 'esm-infra-legacy', endsAt: dayAfter(facts.lastLegacyDay) });
  return { endsAt: dayAfter(facts.lastDay), extended };
}

/**
 * Whether a suite belongs to another release than the host's: `noble-security` on Ubuntu 22.04. False for unknown
 * suites.
 */
export function isOtherReleasesSuite(suite: string, release: Release): boolean {
  const codename = suite.split(/[-/]/, 1)[0] ?? '';
  return codenames.has(codename) && codename !== factsOf(release)?.codename;
}

function dayAfter(day: string): Date {
  return new Date(Date.parse(`${day}T00:00:00Z`) + dayMs);
}

function factsOf(release: Release): UbuntuRelease | undefined {
  return isUbuntuRelease(release) ? releases.get(release.slice(prefix.length)) : undefined;
}
