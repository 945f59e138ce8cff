import type { UnknownReason } from '@plimsoll/model';
import { type DistTag, distTagOf } from './dist-tag.ts';

/** Where a package version came from. `stated` false: nothing says so, and it passes as the distribution's. */
export type RpmOrigin =
  | { readonly kind: 'distribution'; readonly stated: boolean }
  | { readonly kind: 'foreign'; readonly reason: UnknownReason; readonly detail: string };

/** How a distribution marks its packages. */
export interface OriginRules {
  /** Its words in rpm's vendor tag, lower case and without an address. */
  readonly vendors: ReadonlySet<string>;
  /** Whether a build with this dist tag is one for the release of this number. */
  isOwnTag(tag: DistTag, number: string): boolean;
}

const address = /\s*<[^<>]*>\s*$/;
/** Marks of third parties in releases, for packages that name no vendor. */
const thirdParty = /(?:^|\.)(?:remi|ius|elrepo|nux|art|ngx)(?:\.|$)|PGDG|\.rhel\d/;
/** Kernels that ELRepo builds from upstream; no distribution has packages of these names. */
const thirdPartyKernel = /^kernel-(?:ml|lt)(?:-|$)/;

/**
 * Judges whether a package is what the advisories for a release speak about: by its vendor, else by the marks in its
 * release. Packages of third parties and of other releases are compared with nothing: their fixed versions are others.
 */
export function rpmOriginOf(
  { name, vendor, release }: { readonly name: string; readonly vendor: string; readonly release: string },
  number: string,
  { vendors, isOwnTag }: OriginRules,
): RpmOrigin {
  const word = vendor.replace(address, '').trim().toLowerCase();
  if (word !== '' && !vendors.has(word)) {
    return { kind: 'foreign', reason: 'not_the_distributions', detail: vendor };
  }
  if (thirdPartyKernel.test(name)) return { kind: 'foreign', reason: 'not_the_distributions', detail: name };
  const tag = distTagOf(release);
  if (word === '' && thirdParty.test(release)) {
    return { kind: 'foreign', reason: 'not_the_distributions', detail: release };
  }
  if (tag !== null && !isOwnTag(tag, number)) {
    return { kind: 'foreign', reason: 'other_release', detail: release };
  }
  return { kind: 'distribution', stated: word !== '' };
}
