import {
  judgeRepositories,
  type LagRules,
  type RepositoryCopy,
  repositoryCopies,
} from '@plimsoll/advisories';
import type { JudgedCopyRow, RepositoryRule } from '@plimsoll/db';

/** How the repositories of stored hosts are judged. */
export function createRepositoryRule(lag: LagRules): RepositoryRule {
  return {
    fingerprint: JSON.stringify(lag),
    minLagDays: Math.min(lag.defaultDays, ...lag.exceptions.map(({ days }) => days)),
    copies({ tags, vendors, ...host }) {
      const copies = repositoryCopies({ ...host, vendors: vendors === null ? null : new Set(vendors) });
      return {
        identities: copies.flatMap(({ identity }) => (identity === null ? [] : [identity])),
        judge({ newestOf, now }) {
          const { copies: judged, ...host } = judgeRepositories(copies, { lag, tags, newestOf, now });
          const rows = judged.map(({ copy, maxLagDays, state, reason }) => ({
            ...rowOf(copy),
            maxLagDays,
            state,
            reason,
          }));
          return { rows, ...host };
        },
      };
    },
  };
}

function rowOf(copy: RepositoryCopy): Omit<JudgedCopyRow, 'maxLagDays' | 'state' | 'reason'> {
  const { identity, isUsed, fetchedAt: _, ...said } = copy;
  return { ...said, used: isUsed, identityKey: identity?.key ?? null };
}
