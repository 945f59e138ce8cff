/** A UUID or machine id of 128 bits, once dashes and braces are taken out. */
const hex128 = /^[0-9a-f]{32}$/;

/**
 * What a machine id is compared by: its ASCII letters in lower case, and of a UUID its 32 hex digits without dashes and
 * braces. The database function `machine_key` is the same rule.
 */
export function machineKey(machineId: string): string {
  const lower = machineId.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  const digits = lower.replace(/[-{}]/g, '');
  return hex128.test(digits) ? digits : lower;
}
