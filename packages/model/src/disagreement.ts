/**
 * `security_update_without_finding`: the package manager flags an update as security, but it closes no known advisory.
 * `finding_without_security_update`: a finding is installable, but the package manager flags none of the updates that
 * close it as security.
 */
export const disagreementKinds = [
  'security_update_without_finding',
  'finding_without_security_update',
] as const;
export type DisagreementKind = (typeof disagreementKinds)[number];

/**
 * Why Plimsoll and the package manager differ. `not_affected`: the package has a verdict, and the update fixes no
 * advisory. `no_verdict`: the package has no verdict. `candidate_not_comparable`: the update's version cannot be
 * compared. `affected`: the finding exists.
 */
export const disagreementReasons = [
  'not_affected',
  'no_verdict',
  'candidate_not_comparable',
  'affected',
] as const;
export type DisagreementReason = (typeof disagreementReasons)[number];
