/** Advisories that are named. */
const mostNamed = 5;

/** The environment variable by which the user of a script states that the evidence of this machine is taken. */
export const evidenceVariable = 'PLIMSOLL_EVIDENCE_TAKEN';

/** The variable of a playbook with the inventory names, separated by commas, of the hosts whose evidence is taken. */
export const evidenceHosts = 'plimsoll_evidence_taken';

/** What is to be done before a host is changed. Volatile evidence first, as in RFC 3227. */
export const evidenceWords =
  'Take the evidence before anything is changed: memory, processes and network connections first, then logs and files.';

/** Why evidence is to be taken. */
export function evidenceReason(advisories: readonly string[]): string {
  const more = advisories.length - mostNamed;
  const named = advisories.slice(0, mostNamed).join(', ');
  return `The due dates ask for a forensic examination of this host because of ${named}${more > 0 ? ` and ${more} more` : ''}.`;
}
