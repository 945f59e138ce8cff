import type { Lifecycle, Platform, Repository } from '@plimsoll/model';
import {
  type Distribution,
  listsService,
  type PackageSubject,
  type ReleaseVerdict,
} from '../distribution.ts';
import { classifyRpm, classifyRpmCompanion, classifyRpmUpgrade } from './classify.ts';
import { kernelRoleOf, parseRunningRelease } from './kernel-package.ts';
import { numberOfRelease, type RpmFamily, rpmRelease } from './rpm-family.ts';
import { suseFlavourOf } from './suse-kernel.ts';

const dayMs = 86_400_000;

/** Builds a distribution of rpm packages, which are matched by binary package, architecture and module stream. */
export function rpmDistribution(family: RpmFamily): Distribution {
  // Without a release, the kernels' names alone show which package boots.
  const isSuse = family.kernelStyle('').style === 'suse';
  return {
    id: family.id,
    scheme: 'rpm',
    releaseOf: (platform) => releaseOfPlatform(family, platform),
    owns: (release) => numberOfRelease(family, release) !== null,
    classify: (subject, release) => classifyRpm(family, subject, release),
    classifyCompanion: (subject, release) => classifyRpmCompanion(family, subject, release),
    classifyUpgrade: (upgrade, release) => classifyRpmUpgrade(family, upgrade, release),
    // SUSE's `uname -r` has no complete version.
    runningKernelVersion: ({ runningRelease }) =>
      isSuse ? null : (parseRunningRelease(runningRelease)?.version ?? null),
    kernelOf: (name, { version, architecture }) => {
      const build = { name, version, architecture, sourceName: name };
      const role = kernelRoleOf(build, family.kernelStyle(numberInTag(version)));
      return role === null || role.role === 'companion' ? null : role;
    },
    kernelFlavourOf: (release) =>
      isSuse ? suseFlavourOf(release) : (parseRunningRelease(release)?.flavour ?? null),
    kernelReleaseIsBuild: true,
    runningKernelSubject: (like, _release, version): PackageSubject => ({
      ...like,
      version,
      sourceVersion: version,
    }),
    hasService: (subscription, service) =>
      service === family.extended?.service ? listsService(subscription, service) : 'no',
    servicesIn: (repositories) => servicesIn(family, repositories),
    editionEndOf: (platform) => editionEndOf(family, platform),
    lifecycleOf: (release) => lifecycleOf(family, numberOfRelease(family, release)),
  };
}

function servicesIn({ extended }: RpmFamily, repositories: readonly Repository[]): readonly string[] {
  const isShown = repositories.some(
    ({ enabled, id, url }) => enabled && (extended?.repository.test(id) || extended?.repository.test(url)),
  );
  return extended !== undefined && isShown ? [extended.service] : [];
}

function editionEndOf({ edition, numberOf }: RpmFamily, platform: Platform): Date | null {
  const lastDay = edition?.name.test(platform.osPrettyName)
    ? edition.lastDays.get(numberOf(platform) ?? '')
    : undefined;
  return lastDay === undefined ? null : dayAfter(lastDay);
}

function lifecycleOf({ lastDays, extended }: RpmFamily, number: string | null): Lifecycle | null {
  const lastDay = lastDays.get(number ?? '');
  if (lastDay === undefined) return null;
  const later = extended?.lastDays.get(number ?? '');
  return {
    endsAt: dayAfter(lastDay),
    ...(extended === undefined || later === undefined
      ? {}
      : { extended: [{ service: extended.service, endsAt: dayAfter(later) }] }),
  };
}

function dayAfter(day: string): Date {
  return new Date(Date.parse(`${day}T00:00:00Z`) + dayMs);
}

function releaseOfPlatform(family: RpmFamily, platform: Platform): ReleaseVerdict {
  if (!family.osIds.includes(platform.osId)) return { kind: 'unsupported', reason: 'other_distribution' };
  const number = family.numberOf(platform);
  const release = number === null ? null : rpmRelease(family, number);
  if (release === null) return { kind: 'unsupported', reason: 'no_release_number' };
  return { kind: 'release', release, scheme: 'rpm' };
}

/** The release number in a kernel's dist tag: `7` of `3.10.0-1160.el7`; empty if absent. */
function numberInTag(version: string): string {
  return /\.el(\d+)/.exec(version)?.[1] ?? '';
}
