/**
 * Describes the fault of a snapshot whose declared number of packages differs from its content; null if there is none.
 * An absent declaration is 0 on the wire and never a fault.
 */
export function packageCountFault(declared: number, held: number): string | null {
  if (declared === 0 || declared === held) return null;
  return `the message was cut: package_count is ${declared}, but it holds ${held} packages`;
}
