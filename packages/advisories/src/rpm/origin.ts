import type { UnknownReason } from '@plimsoll/model';
import { type DistTag, distTagOf } from './dist-tag.ts';

/** The origin of a package version. `stated` false: the origin is unknown and assumed to be the distribution. */
export type RpmOrigin =
  | { readonly kind: 'distribution'; readonly stated: boolean }
  | { readonly kind: 'foreign'; readonly reason: UnknownReason; readonly detail: string };

/** How to recognise a distribution's packages. */
export interface OriginRules {
  /** Its names in rpm's vendor tag, lower case and without an address. */
  readonly vendors: ReadonlySet<string>;
  /** Whether a build with this dist tag belongs to the release with this number. */
  isOwnTag(tag: DistTag, number: string): boolean;
}

const address = /\s*<[^<>]*>\s*$/;
/** Third parties' marks in rpm releases, for packages without a vendor. */
const thirdParty = /(?:^|\.)(?:remi|ius|elrepo|nux|art|ngx)(?:\.|$)|PGDG|\.rhel\d/;
/** ELRepo's kernels built from upstream; no distribution uses these names. */
const thirdPartyKernel = /^kernel-(?:ml|lt)(?:-|$)/;

/**
 * Decides whether a release's advisories cover a package: by its vendor, else by the marks in its rpm release.
 * Packages of third parties and other releases are not compared, because their fixed versions differ.
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
