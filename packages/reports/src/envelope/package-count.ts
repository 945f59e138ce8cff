/**
 * What is wrong with a snapshot that declares another number of packages than it holds, or null. Nothing declared is 0
 * on the wire and never wrong.
 */
export function packageCountFault(declared: number, held: number): string | null {
  if (declared === 0 || declared === held) return null;
  return `the message was cut: package_count is ${declared}, but it holds ${held} packages`;
}
