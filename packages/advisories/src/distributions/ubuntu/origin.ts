import type { Release, UnknownReason } from '@plimsoll/model';
import { isOtherReleasesSuite } from './releases.ts';

/**
 * Where a package version came from. `stated` false: nothing says so, and it passes as the distribution's. `fips`: from
 * an archive of FIPS builds.
 */
export type Origin =
  | { readonly kind: 'distribution'; readonly stated: boolean; readonly fips: boolean }
  | { readonly kind: 'foreign'; readonly reason: UnknownReason; readonly detail: string };

/** What a package's place of origin is judged by. */
export interface OriginFacts {
  readonly vendor: string;
  readonly suite: string;
  readonly version: string;
  readonly sourceVersion: string;
}

/** `Origin` of Ubuntu's archive and of those archives of Ubuntu Pro that advisories speak about. */
const ubuntuOrigins: ReadonlySet<string> = new Set([
  'ubuntu',
  'ubuntuesm',
  'ubuntuesmapps',
  'ubunturealtimekernel',
]);
const fipsOrigins: ReadonlySet<string> = new Set(['ubuntufips', 'ubuntufipsupdates', 'ubuntufipspreview']);
const backportsSuite = /-backports$/;
const backportedVersion = /~bpo\d/;

/**
 * Judges whether a package is what Ubuntu's advisories for `release` speak about. Packages of third parties (a PPA is
 * one, whoever maintains it), of backports and of other releases are compared with nothing.
 */
export function originOf(facts: OriginFacts, release: Release): Origin {
  const vendor = facts.vendor.trim().toLowerCase();
  const suite = facts.suite.trim().toLowerCase();
  const fips = fipsOrigins.has(vendor);
  if (vendor !== '' && !fips && !ubuntuOrigins.has(vendor)) {
    return { kind: 'foreign', reason: 'not_the_distributions', detail: facts.vendor };
  }
  if (backportsSuite.test(suite)) return { kind: 'foreign', reason: 'backport', detail: facts.suite };
  for (const version of [facts.version, facts.sourceVersion]) {
    if (backportedVersion.test(version)) return { kind: 'foreign', reason: 'backport', detail: version };
  }
  if (isOtherReleasesSuite(suite, release)) {
    return { kind: 'foreign', reason: 'other_release', detail: facts.suite };
  }
  return { kind: 'distribution', stated: vendor !== '', fips };
}
