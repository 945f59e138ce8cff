import type { Release, UnknownReason } from '@plimsoll/model';
import { isOtherReleasesSuite } from './releases.ts';

/** Where a package version came from. `stated` false: nothing says so, and it passes as the distribution's. */
export type Origin =
  | { readonly kind: 'distribution'; readonly stated: boolean }
  | { readonly kind: 'foreign'; readonly reason: UnknownReason; readonly detail: string };

/** What a package's place of origin is judged by. */
export interface OriginFacts {
  readonly vendor: string;
  readonly suite: string;
  readonly version: string;
  readonly sourceVersion: string;
}

/** `Origin` of Debian's archives, and the `Label` of its security archive, which apt prints in its place. */
const debianOrigins: ReadonlySet<string> = new Set(['debian', 'debian-security']);
const backportsOrigin = 'debian backports';
const backportsSuite = /-backports(?:-sloppy)?$/;
const backportedVersion = /~bpo\d/;
/** Raspberry Pi OS calls itself Debian and mixes packages of its own, under Debian's names, among Debian's. */
const raspberryVersion = /\+rp[it]\d/;

/**
 * Judges whether a package is what Debian's advisories for `release` speak about. Packages of third parties, of
 * backports and of other releases are compared with nothing: their fixed versions are others.
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
