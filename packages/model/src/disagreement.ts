/**
 * `security_update_without_finding`: the package manager calls an update a security update, and it closes no advisory
 * that we know. `finding_without_security_update`: a finding is installable, and the package manager calls none of the
 * updates that close it a security update.
 */
export const disagreementKinds = [
  'security_update_without_finding',
  'finding_without_security_update',
] as const;
export type DisagreementKind = (typeof disagreementKinds)[number];

/**
 * Why we say other than the package manager. `not_affected`: the package has a verdict, and no advisory with a fix in
 * that update. `no_verdict`: nothing can be said of the package. `candidate_not_comparable`: nothing can be said of the
 * update. `affected`: the finding is there.
 */
export const disagreementReasons = [
  'not_affected',
  'no_verdict',
  'candidate_not_comparable',
  'affected',
] as const;
export type DisagreementReason = (typeof disagreementReasons)[number];
