/** A UUID or machine id of 128 bits, without dashes and braces. */
const hex128 = /^[0-9a-f]{32}$/;

/**
 * The comparison key of a machine id: ASCII letters in lower case; for a UUID its 32 hex digits without dashes and
 * braces. The database function `machine_key` implements the same rule.
 */
export function machineKey(machineId: string): string {
  const lower = machineId.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  const digits = lower.replace(/[-{}]/g, '');
  return hex128.test(digits) ? digits : lower;
}
