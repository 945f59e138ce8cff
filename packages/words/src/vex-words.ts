import type { VexRejection } from '@plimsoll/model';

/** Why a statement of a VEX document became no waiver. */
export const vexRejectionWords: Readonly<Record<VexRejection, string>> = {
  no_vulnerability: 'names no vulnerability',
  affected: 'says “affected”: a risk is accepted by a person, not by a document',
  under_investigation: 'is under investigation',
  unknown_status: 'has no status that is known',
  fixed_without_version: 'says “fixed” without the version',
  no_product: 'names no product',
  unknown_product: 'names no deb or rpm package of a known release',
  within_other_product: 'is about a package in another product; choose hosts by tag if these are it',
  unknown_host: 'names a host that does not exist here',
  other_host: 'names a host that was not chosen',
  unknown_vulnerability: 'no feed here names the vulnerability',
  no_finding: 'nothing on these hosts is affected by it now',
};

/** Formats of VEX documents with their names. */
export const vexFormats = [
  ['openvex', 'OpenVEX'],
  ['cyclonedx', 'CycloneDX'],
  ['csaf', 'CSAF'],
] as const;

/** A format of VEX documents. */
export type VexFormat = (typeof vexFormats)[number][0];
