/** When Node.js versions with long support get their last security updates (github.com/nodejs/Release). */
const ends: Readonly<Record<number, string>> = { 20: '2026-04-30', 22: '2027-04-30', 24: '2028-04-30' };

/** Up to this one, odd versions are supported for half a year and ended before 24 did. */
const lastOdd = 25;

/** A sentence if a version of Node.js gets no more security updates at a time; null for versions not known here. */
export function nodeWarning(version: string, now: Date): string | null {
  const major = Number.parseInt(version, 10);
  const end = ends[major];
  const isOver = end === undefined ? major % 2 === 1 && major <= lastOdd : now > new Date(`${end}T23:59:59Z`);
  if (!isOver) return null;
  const since = end === undefined ? '' : ` since ${end}`;
  return `Node.js ${version} gets no security updates${since}; install Node.js 24 or a newer even version`;
}
