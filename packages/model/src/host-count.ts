/** A number of hosts in words. */
export function hostCount(count: number): string {
  return count === 1 ? '1 host' : `${count} hosts`;
}
