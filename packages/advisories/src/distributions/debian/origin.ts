import type { Release, UnknownReason } from '@plimsoll/model';
import { isOtherReleasesSuite } from './releases.ts';

/** The origin of a package version. `stated` false: the origin is unknown and assumed to be the distribution. */
export type Origin =
  | { readonly kind: 'distribution'; readonly stated: boolean }
  | { readonly kind: 'foreign'; readonly reason: UnknownReason; readonly detail: string };

/** The facts that determine a package's origin. */
export interface OriginFacts {
  readonly vendor: string;
  readonly suite: string;
  readonly version: string;
  readonly sourceVersion: string;
}

/** `Origin` of Debian's archives, and the `Label` of its security archive, which apt prints instead. */
const debianOrigins: ReadonlySet<string> = new Set(['debian', 'debian-security']);
const backportsOrigin = 'debian backports';
const backportsSuite = /-backports(?:-sloppy)?$/;
const backportedVersion = /~bpo\d/;
/** Raspberry Pi OS identifies as Debian and replaces some Debian packages by its own under the same names. */
const raspberryVersion = /\+rp[it]\d/;

/**
 * Decides whether Debian's advisories for `release` cover a package. Packages of third parties, backports and other
 * releases are not compared, because their fixed versions differ.
 */
export function originOf(facts: OriginFacts, release: Release): Origin {
  const vendor = facts.vendor.trim().toLowerCase();
  const suite = facts.suite.trim().toLowerCase();
  if (vendor !== '' && vendor !== backportsOrigin && !debianOrigins.has(vendor)) {
    return { kind: 'foreign', reason: 'not_the_distributions', detail: facts.vendor };
  }
  if (vendor === backportsOrigin) return { kind: 'foreign', reason: 'backport', detail: facts.vendor };
  if (backportsSuite.test(suite)) return { kind: 'foreign', reason: 'backport', detail: facts.suite };
  for (const version of [facts.version, facts.sourceVersion]) {
    if (raspberryVersion.test(version)) {
      return { kind: 'foreign', reason: 'not_the_distributions', detail: version };
    }
    if (backportedVersion.test(version)) return { kind: 'foreign', reason: 'backport', detail: version };
  }
  if (isOtherReleasesSuite(suite, release)) {
    return { kind: 'foreign', reason: 'other_release', detail: facts.suite };
  }
  return { kind: 'distribution', stated: vendor !== '' };
}
