/** The names that locks and excludes cover, or why they are unknown. */
export type LockedNames =
  | { readonly kind: 'known'; readonly names: ReadonlySet<string> }
  | { readonly kind: 'unknown'; readonly reason: string };

/** The largest number of character comparisons: ten times what a large host needs. */
const maxWork = 100_000_000;

/** The names that at least one of `locks` covers. In a lock `*` matches any text, `?` one character. */
export function lockedNames(locks: readonly string[], names: ReadonlySet<string>): LockedNames {
  const exact = locks.filter((lock) => !isPattern(lock));
  const locked = new Set(exact.filter((lock) => names.has(lock)));
  const patterns = locks.filter(isPattern);
  let work = 0;
  for (const pattern of patterns) {
    for (const name of names) {
      work += Math.min(pattern.length * name.length, maxWork);
      if (work > maxWork) return { kind: 'unknown', reason: 'too many patterns for so many packages' };
      if (matchesPattern(name, pattern)) locked.add(name);
    }
  }
  return { kind: 'known', names: locked };
}

function isPattern(lock: string): boolean {
  return lock.includes('*') || lock.includes('?');
}

/** Matches without recursion: after a mismatch it continues at the last `*`, extended by one character. */
function matchesPattern(name: string, pattern: string): boolean {
  let at = 0;
  let patternAt = 0;
  let star = -1;
  let starAt = 0;
  while (at < name.length) {
    const wanted = pattern.charAt(patternAt);
    if (wanted === '*') {
      star = patternAt++;
      starAt = at;
    } else if (wanted === '?' || wanted === name.charAt(at)) {
      patternAt++;
      at++;
    } else if (star >= 0) {
      patternAt = star + 1;
      at = ++starAt;
    } else {
      return false;
    }
  }
  while (pattern.charAt(patternAt) === '*') patternAt++;
  return patternAt === pattern.length;
}
