/** Why a statement of a VEX document becomes no waiver: closed list of the HTTP contract. */
export const vexRejections = [
  'no_vulnerability',
  'affected',
  'under_investigation',
  'unknown_status',
  'fixed_without_version',
  'no_product',
  'unknown_product',
  'within_other_product',
  'unknown_host',
  'other_host',
  'unknown_vulnerability',
  'no_finding',
] as const;

/** One of `vexRejections`. */
export type VexRejection = (typeof vexRejections)[number];
