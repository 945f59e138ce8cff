import type { SectionRule } from './section-rule.ts';
import { parseAdvisories } from './sections/advisories.ts';
import { parseAptCandidates } from './sections/apt-candidates.ts';
import { parseAptFiles } from './sections/apt-files.ts';
import { parseAptPolicy } from './sections/apt-policy.ts';
import { parseAptSources } from './sections/apt-sources.ts';
import { parseAptUpgrade } from './sections/apt-upgrade.ts';
import { parseDeletedFiles } from './sections/deleted-files.ts';
import { parseDpkg } from './sections/dpkg.ts';
import { parseInstallOnly } from './sections/install-only.ts';
import { parseKernel } from './sections/kernel.ts';
import { parseLivepatch } from './sections/livepatch.ts';
import { parseLocks } from './sections/locks.ts';
import { parseModules } from './sections/modules.ts';
import { parseNeedrestart } from './sections/needrestart.ts';
import { parseObserved } from './sections/observed.ts';
import { parseOsRelease } from './sections/os-release.ts';
import { parsePlatform } from './sections/platform.ts';
import { parsePro } from './sections/pro.ts';
import { parseReboot } from './sections/reboot.ts';
import { parseRepositories } from './sections/repositories.ts';
import { parseRpm } from './sections/rpm.ts';
import { parseSubscription } from './sections/subscription.ts';
import { parseUnits } from './sections/units.ts';
import { parseUpdates } from './sections/updates.ts';

/** Every section of a report; docs/report-format.md describes their contents. */
export const sectionRules = {
  observed: { family: 'every', absence: 'unknown', answers: [0], fact: 'observed', parse: parseObserved },
  'os-release': {
    family: 'every',
    absence: 'unknown',
    answers: [0],
    fact: 'platform',
    parse: parseOsRelease,
  },
  platform: { family: 'every', absence: 'unknown', answers: [0], fact: 'platform', parse: parsePlatform },
  kernel: { family: 'every', absence: 'unknown', answers: [0], fact: 'kernel', parse: parseKernel },
  reboot: { family: 'every', absence: 'unknown', answers: [0], fact: 'kernel', parse: parseReboot },
  units: { family: 'every', absence: 'none', answers: [0], fact: 'units', parse: parseUnits },
  needrestart: {
    family: 'every',
    absence: 'none',
    answers: [0],
    partial: [1],
    fact: 'services',
    parse: parseNeedrestart,
  },
  'deleted-files': {
    family: 'every',
    absence: 'none',
    answers: [0],
    partial: [1],
    fact: 'services',
    parse: parseDeletedFiles,
  },
  // 1: canonical-livepatch on a machine without the service.
  livepatch: { family: 'every', absence: 'none', answers: [0, 1], fact: 'livepatch', parse: parseLivepatch },

  // A damaged database: these are the packages that could be read.
  dpkg: {
    family: 'apt',
    absence: 'invalid',
    answers: [0],
    partial: 'every',
    fact: 'packages',
    parse: parseDpkg,
  },
  'apt-files': { family: 'apt', absence: 'unknown', answers: [0], fact: 'origins', parse: parseAptFiles },
  'apt-policy': { family: 'apt', absence: 'unknown', answers: [0], fact: 'origins', parse: parseAptPolicy },
  'apt-upgrade': {
    family: 'apt',
    absence: 'unknown',
    answers: [0],
    fact: 'upgradable',
    parse: parseAptUpgrade,
  },
  'apt-candidates': {
    family: 'apt',
    absence: 'unknown',
    answers: [0],
    fact: 'candidates',
    parse: parseAptCandidates,
  },
  'apt-sources': {
    family: 'apt',
    absence: 'unknown',
    answers: [0],
    fact: 'repositories',
    parse: parseAptSources,
  },
  pro: { family: 'apt', absence: 'none', answers: [0], fact: 'subscription', parse: parsePro },

  // As dpkg.
  rpm: {
    family: 'rpm',
    absence: 'invalid',
    answers: [0],
    partial: 'every',
    fact: 'packages',
    parse: parseRpm,
  },
  'install-only': { family: 'rpm', absence: 'none', answers: [0], fact: 'broken', parse: parseInstallOnly },
  modules: { family: 'rpm', absence: 'unknown', answers: [0], fact: 'module_streams', parse: parseModules },
  // 1 and, from zypper, 106: a repository could not be read, and these are the updates of the others.
  updates: {
    family: 'rpm',
    absence: 'unknown',
    answers: [0, 100],
    partial: [1, 106],
    fact: 'upgradable',
    parse: parseUpdates,
  },
  'updates-held': {
    family: 'rpm',
    absence: 'none',
    answers: [0, 100],
    partial: [1, 106],
    // The updates that locks withhold.
    fact: 'upgradable',
    parse: parseUpdates,
  },
  advisories: {
    family: 'rpm',
    absence: 'unknown',
    answers: [0],
    partial: [1, 106],
    fact: 'advisories',
    parse: parseAdvisories,
  },
  locks: { family: 'rpm', absence: 'unknown', answers: [0], fact: 'locks', parse: parseLocks },
  repositories: {
    family: 'rpm',
    absence: 'unknown',
    answers: [0],
    fact: 'repositories',
    parse: parseRepositories,
  },
  // subscription-manager exits with 1 on an unregistered host.
  subscription: {
    family: 'rpm',
    absence: 'none',
    answers: [0, 1],
    fact: 'subscription',
    parse: parseSubscription,
  },
} as const satisfies Readonly<Record<string, SectionRule<unknown>>>;

/**
 * Sections whose error output is only noted: the collector composes them from several sources, or no finding, update or
 * reboot depends on them.
 */
export const notedSections: ReadonlySet<SectionName> = new Set<SectionName>([
  'observed',
  'os-release',
  'platform',
  'kernel',
  'livepatch',
  'units',
  'install-only',
]);

/** The name of a section. */
export type SectionName = keyof typeof sectionRules;

/** The facts of a report by section name; null if unknown or if the host lacks the feature. */
export type ReportFacts = {
  readonly [Name in SectionName]: ReturnType<(typeof sectionRules)[Name]['parse']> | null;
};
