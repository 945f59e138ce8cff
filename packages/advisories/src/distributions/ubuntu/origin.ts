import type { Release, UnknownReason } from '@plimsoll/model';
import { isOtherReleasesSuite } from './releases.ts';

/**
 * The origin of a package version. `stated` false: the origin is unknown and assumed to be the distribution. `fips`:
 * from an archive of FIPS builds.
 */
export type Origin =
  | { readonly kind: 'distribution'; readonly stated: boolean; readonly fips: boolean }
  | { readonly kind: 'foreign'; readonly reason: UnknownReason; readonly detail: string };

/** The facts that determine a package's origin. */
export interface OriginFacts {
  readonly vendor: string;
  readonly suite: string;
  readonly version: string;
  readonly sourceVersion: string;
}

/** `Origin` of Ubuntu's archive and of the Ubuntu Pro archives that advisories cover. */
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
 * Decides whether Ubuntu's advisories for `release` cover a package. Packages of third parties (including every PPA),
 * backports and other releases are not compared.
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
