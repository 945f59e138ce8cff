/** A report line as an error's pointer: `line 12`. */
export function atLine(number: number): string {
  return `line ${number}`;
}
