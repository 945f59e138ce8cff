/** The names that locks and excludes are about, or why that cannot be said. */
export type LockedNames =
  | { readonly kind: 'known'; readonly names: ReadonlySet<string> }
  | { readonly kind: 'unknown'; readonly reason: string };

/** How many comparisons of characters are made at most: ten times what a large host needs. */
const maxWork = 100_000_000;

/** Those of `names` that one of `locks` is about. `*` in a lock stands for any text, `?` for one character. */
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

/** Matches without recursion: after a mismatch it goes on behind the last `*`, which takes one character more. */
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
