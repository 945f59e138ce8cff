import type { KernelImage, KernelPart, Release, Upgrade } from '@plimsoll/model';
import { versionKey } from '@plimsoll/versions';
import { isApart, isClosedLine } from '../builds.ts';
import type { CandidateSource, Classification, PackageSubject } from '../distribution.ts';
import { isFromEnabledStreams } from './enabled-streams.ts';
import { splitEvr } from './evr.ts';
import { kernelRoleOf } from './kernel-package.ts';
import { moduleStreamOf } from './module-stream.ts';
import { rpmOriginOf } from './origin.ts';
import { lineOf } from './own-line.ts';
import { numberOfRelease, type RpmFamily } from './rpm-family.ts';

/** A trusted key in rpm's database. */
const signingKeyEntry = 'gpg-pubkey';

/** Classifies a package version for a family's advisories of `release`; see Distribution.classify. */
export function classifyRpm(family: RpmFamily, subject: PackageSubject, release: Release): Classification {
  const number = numberOfRelease(family, release) ?? '';
  if (subject.name === signingKeyEntry) return { kind: 'excluded', reason: 'not_a_package' };
  const role = kernelRoleOf(subject, family.kernelStyle(number));
  if (role?.role === 'companion') return { kind: 'excluded', reason: 'kernel_companion' };
  return classifyBuild(family, subject, number, role);
}

/** What a kernel companion is compared with for display; see Distribution.classifyCompanion. */
export function classifyRpmCompanion(
  family: RpmFamily,
  subject: PackageSubject,
  release: Release,
): Classification {
  return classifyBuild(family, subject, numberOfRelease(family, release) ?? '', null);
}

function classifyBuild(
  family: RpmFamily,
  subject: PackageSubject,
  number: string,
  role: KernelImage | KernelPart | null,
): Classification {
  const { name, version, vendor } = subject;
  const { release: build } = splitEvr(version);
  const origin = rpmOriginOf({ name, vendor, release: build }, number, family);
  if (origin.kind === 'foreign') {
    return { kind: 'unknown', reason: origin.reason, detail: origin.detail, kernel: role };
  }
  const module = moduleStreamOf(subject.module, build);
  if (module.kind === 'unknown') {
    return { kind: 'unknown', reason: 'stream_unknown', detail: build, kernel: role };
  }
  const addOn = origin.kind === 'add_on' ? origin.addOn : null;
  const line = addOn?.line ?? lineOf(name, version, family.lines);
  if (addOn === null && !isRated(family, line)) {
    return { kind: 'unknown', reason: 'other_line', detail: build, kernel: role };
  }
  const matchVersion = addOn?.comparable(version) ?? version;
  const parsed = versionKey('rpm', matchVersion);
  if (parsed.kind !== 'key') {
    return { kind: 'unknown', reason: 'unparseable_version', detail: version, kernel: role };
  }
  const follows = family.lines.minor && !isClosedLine(line) && subject.suite !== '' ? subject.suite : null;
  return {
    kind: 'comparable',
    matchName: name,
    matchVersion,
    key: parsed.key,
    module: module.kind === 'stream' ? module.stream : '',
    ...(isFromEnabledStreams(subject.module) ? { moduleFrom: 'enabled_streams' as const } : {}),
    line,
    ...(follows === null ? {} : { follows }),
    originStated: addOn !== null || (origin.kind === 'distribution' && origin.stated),
    kernel: role,
  };
}

function isRated(family: RpmFamily, line: string): boolean {
  return isClosedLine(line) ? family.ratesClosedLines : family.isRatedLine?.(line) !== false;
}

/** Returns what an offered update is compared by; see Distribution.classifyUpgrade. */
export function classifyRpmUpgrade(family: RpmFamily, upgrade: Upgrade, release: Release): CandidateSource {
  const number = numberOfRelease(family, release) ?? '';
  const { name, candidateVersion: version, architecture, sourceName, origin: vendor, repository } = upgrade;
  const role = kernelRoleOf({ name, version, architecture, sourceName }, family.kernelStyle(number));
  const kernelFlavour = role === null || role.role === 'companion' ? null : role.flavour;
  const origin = rpmOriginOf({ name, vendor, release: splitEvr(version).release }, number, family);
  if (origin.kind === 'foreign') {
    return { kind: 'unknown', reason: origin.reason, detail: origin.detail, kernelFlavour };
  }
  // Package managers name the repository of an offer, not its vendor.
  const addOn = (family.addOns ?? []).find((one) => one.repositoryId.test(repository));
  const matchVersion = addOn?.comparable(version) ?? version;
  const parsed = versionKey('rpm', matchVersion);
  if (parsed.kind !== 'key') {
    return { kind: 'unknown', reason: 'unparseable_version', detail: version, kernelFlavour };
  }
  const line = addOn?.line ?? lineOf(name, version, family.lines);
  return {
    kind: 'comparable',
    matchName: name,
    matchVersion,
    key: parsed.key,
    ...(isApart(line) ? { line } : {}),
    stated: true,
    kernelFlavour,
  };
}
