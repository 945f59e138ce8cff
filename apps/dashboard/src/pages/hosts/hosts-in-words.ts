const grouped = new Intl.NumberFormat('en');

/** A number of hosts: `1 host`, `1,234 hosts`. */
export function hostsInWords(count: number): string {
  return `${grouped.format(count)} ${count === 1 ? 'host' : 'hosts'}`;
}
