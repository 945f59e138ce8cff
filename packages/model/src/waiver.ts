/** Why a finding is waived: closed list of the HTTP contract. */
export const waiverKinds = ['risk_accepted', 'false_positive', 'mitigated', 'snoozed_until_fix'] as const;

/** Why a finding is waived. `snoozed_until_fix` covers only what has no fix. */
export type WaiverKind = (typeof waiverKinds)[number];

/** How a waiver ended: by a user, at its time, or because a fix of what it snoozed appeared. */
export const waiverEndCauses = ['user', 'expired', 'fix_available'] as const;

/** How a waiver ended. */
export type WaiverEndCause = (typeof waiverEndCauses)[number];

/** The longest time between now and the end of a waiver, in days. */
export const longestWaiverDays = 366;

const cveId = /^CVE-\d{4}-\d{4,19}$/;

/** Whether the name of an advisory in a waiver is the id of a CVE: then it covers what is about waived CVEs only. */
export function isCveName(name: string): boolean {
  return cveId.test(name);
}
