import type { Order } from './version.ts';

/** Orders two sort keys of one scheme by bytes, a prefix first, as PostgreSQL orders bytea. */
export function compareKeys(a: Uint8Array, b: Uint8Array): Order {
  const shared = Math.min(a.length, b.length);
  for (let at = 0; at < shared; at++) {
    const left = a[at] ?? 0;
    const right = b[at] ?? 0;
    if (left !== right) return left < right ? -1 : 1;
  }
  if (a.length === b.length) return 0;
  return a.length < b.length ? -1 : 1;
}
