const grouped = new Intl.NumberFormat('en');

/** A number of hosts with its noun. */
export function hostsInWords(count: number): string {
  return `${grouped.format(count)} ${count === 1 ? 'host' : 'hosts'}`;
}
