import {
  countHost,
  type HostUpgrade,
  matchPackage,
  type PackageSummary,
  summarisePackage,
} from '@plimsoll/advisories';
import type { CountRule, MatchRule } from '@plimsoll/db';
import { bitsOfGrounds } from '@plimsoll/model';
import { toAssessedPackage } from './assessed-package.ts';
import { toHostFacts, toHostUpgrade } from './host-facts.ts';
import { matchableOf } from './matchable.ts';

/** Which statements hold for a stored package version. */
export const matchRule: MatchRule = (version, statements, isJudged) => {
  const matchable = matchableOf(version, statements);
  if (matchable === null) return [];
  const matched = matchPackage(matchable.subject, matchable.statements, isJudged);
  const ids = new Set(matched.map(({ statementId }) => statementId));
  return statements.filter(({ statementId }) => ids.has(statementId));
};

/** How stored hosts are counted. */
export const countRule: CountRule<PackageSummary, HostUpgrade> = {
  summarise: (version, statements) => summarisePackage(toAssessedPackage(version, statements)),
  upgrade: toHostUpgrade,
  count({ release, lifecycle, facts, packages, heldIds, runningKernel, upgrades, coreHistory }) {
    // When it was booted changes no count by itself; what was updated since then may.
    const hostFacts = toHostFacts({
      release,
      lifecycle,
      facts,
      bootedAt: null,
      coreHistory,
      upgrades,
      held: heldIds,
    });
    const { counts, grounds, judgedKernel, disagreementCount, ...totals } = countHost({
      packages,
      runningKernel,
      facts: hostFacts,
    });
    return {
      ...counts,
      ...totals,
      grounds: bitsOfGrounds(grounds),
      judgedKernelId: judgedKernel,
      disagreements: disagreementCount,
    };
  },
};
