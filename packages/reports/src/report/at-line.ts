/** Where something stands in a report, as an error's pointer says it: `line 12`. */
export function atLine(number: number): string {
  return `line ${number}`;
}
