import {
  countHost,
  type HostUpgrade,
  matchPackage,
  type PackageSummary,
  summarisePackage,
} from '@plimsoll/advisories';
import type { CountRule, MatchRule } from '@plimsoll/db';
import { toAssessedPackage } from './assessed-package.ts';
import { toHostFacts, toHostUpgrade } from './host-facts.ts';

/** Which statements hold for a stored package version. */
export const matchRule: MatchRule = (version, statements, isJudged) => {
  if (version.matchKey === null) return [];
  const matched = matchPackage({ kind: 'comparable', key: version.matchKey }, statements, isJudged);
  const ids = new Set(matched.map(({ statementId }) => statementId));
  return statements.filter(({ statementId }) => ids.has(statementId));
};

/** How stored hosts are counted. */
export const countRule: CountRule<PackageSummary, HostUpgrade> = {
  summarise: (version, statements) => summarisePackage(toAssessedPackage(version, statements)),
  upgrade: toHostUpgrade,
  count({ release, facts, packages, heldIds, runningKernel, upgrades }) {
    // When it was booted changes no count, and moves without a new snapshot.
    const hostFacts = toHostFacts({ release, facts, bootedAt: null, upgrades, held: heldIds });
    const { counts, ...totals } = countHost({ packages, runningKernel, facts: hostFacts });
    return { ...counts, ...totals };
  },
};
