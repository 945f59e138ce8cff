import type { UnknownReason } from '@plimsoll/model';
import { plainVendor, statedMirror } from '../origin-policy.ts';
import type { AddOn } from './add-on.ts';
import { type DistTag, distTagOf } from './dist-tag.ts';

/** The origin of a package version. `stated` false: the origin is unknown and assumed to be the distribution. */
export type RpmOrigin =
  | { readonly kind: 'distribution'; readonly stated: boolean }
  | { readonly kind: 'add_on'; readonly addOn: AddOn }
  | { readonly kind: 'foreign'; readonly reason: UnknownReason; readonly detail: string };

/** How to recognise a distribution's packages. */
export interface OriginRules {
  /** Of the distribution. */
  readonly id: string;
  /** Its names in rpm's vendor tag, lower case and without an address. */
  readonly vendors: ReadonlySet<string>;
  /** Collections of other publishers for its releases, with their own advisories. Absent: none. */
  readonly addOns?: readonly AddOn[];
  /** Whether a build with this dist tag belongs to the release with this number. */
  isOwnTag(tag: DistTag, number: string): boolean;
}

/** Third parties' marks in rpm releases, for packages without a vendor. */
const thirdParty = /(?:^|\.)(?:remi|ius|elrepo|nux|art|ngx)(?:\.|$)|PGDG|\.rhel\d/;
/** ELRepo's kernels built from upstream; no distribution uses these names. */
const thirdPartyKernel = /^kernel-(?:ml|lt)(?:-|$)/;

/** The fields of a package that show its origin; an empty vendor is unknown. */
interface RpmBuild {
  readonly name: string;
  readonly vendor: string;
  readonly release: string;
}

/**
 * Decides whether a release's advisories cover a package: by its vendor, else by the marks in its rpm release.
 * Packages of third parties and other releases are not compared, because their fixed versions differ.
 */
export function rpmOriginOf(
  { name, vendor, release }: RpmBuild,
  number: string,
  { id, vendors, isOwnTag, addOns = [] }: OriginRules,
): RpmOrigin {
  const mirrors = statedMirror(vendor)?.mirrors;
  const [own = ''] = vendors;
  const word = mirrors === id ? own : (mirrors ?? plainVendor(vendor));
  const tag = distTagOf(release);
  const addOn = addOns.find((one) => one.vendors.has(word));
  if (addOn !== undefined) {
    if (tag === null || addOn.isOwnTag(tag, number)) return { kind: 'add_on', addOn };
    return { kind: 'foreign', reason: 'other_release', detail: release };
  }
  if (word !== '' && !vendors.has(word)) {
    return { kind: 'foreign', reason: 'not_the_distributions', detail: vendor };
  }
  if (thirdPartyKernel.test(name)) return { kind: 'foreign', reason: 'not_the_distributions', detail: name };
  if (word === '' && thirdParty.test(release)) {
    return { kind: 'foreign', reason: 'not_the_distributions', detail: release };
  }
  if (tag !== null && !isOwnTag(tag, number)) {
    return { kind: 'foreign', reason: 'other_release', detail: release };
  }
  return { kind: 'distribution', stated: word !== '' };
}
