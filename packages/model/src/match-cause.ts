/** Why a match of a package version with a statement began or ended. */
export const matchCauses = [
  'advisory_published',
  'advisory_changed',
  'advisory_withdrawn',
  /** The rules of this service, or its list of known feed errors. */
  'rules_changed',
  /** Another record about the same CVEs counts now. */
  'source_changed',
] as const;

/** Why a match of a package version with a statement began or ended. */
export type MatchCause = (typeof matchCauses)[number];

/** What changed the knowledge about package versions: imported records, rules, or corrections of known feed errors. */
export type KnowledgeChangeKind = 'import' | 'rules' | 'corrections';

/** Why a finding of a host began or ended: something changed on the host, or in what is known. */
export const changeCauses = [
  /** The package was installed, removed, or changed version. */
  'package_changed',
  /** The host runs another kernel. */
  'kernel_booted',
  ...matchCauses,
] as const;

/** One of `changeCauses`. */
export type ChangeCause = (typeof changeCauses)[number];

/** Why a finding differs between two times of a host. */
export const hostChangeCauses = [
  ...changeCauses,
  /** A waiver began or ended; the package is affected at both times. */
  'waived',
] as const;

/** One of `hostChangeCauses`. */
export type HostChangeCause = (typeof hostChangeCauses)[number];

/** Why an exposure of a host began or ended. */
export const exposureCauses = [
  /** The host came with it: its first snapshot had it. */
  'first_snapshot',
  ...changeCauses,
] as const;

/** One of `exposureCauses`. */
export type ExposureCause = (typeof exposureCauses)[number];
