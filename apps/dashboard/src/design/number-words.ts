const format = new Intl.NumberFormat('en');

/** A number with grouped digits: `1,234`. */
export function groupedNumber(count: number): string {
  return format.format(count);
}

/** A number with its noun: `1 host`, `1,234 hosts`. */
export function amountInWords(count: number, one: string, many: string): string {
  return `${groupedNumber(count)} ${count === 1 ? one : many}`;
}

/** A number of hosts: `1 host`, `1,234 hosts`. */
export function hostsInWords(count: number): string {
  return amountInWords(count, 'host', 'hosts');
}
