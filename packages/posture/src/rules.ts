import {
  countHost,
  type HostUpgrade,
  matchPackage,
  type PackageSummary,
  summarisePackage,
} from '@plimsoll/advisories';
import type { CountRule, MatchRule } from '@plimsoll/db';
import { toAssessedPackage, verdictIn } from './assessed-package.ts';
import { toHostFacts, toHostUpgrade } from './host-facts.ts';

/** Which statements hold for a stored package version. */
export const matchRule: MatchRule = (version, statements, isJudged) => {
  const verdict = verdictIn(version);
  if (version.matchKey === null || verdict.kind !== 'comparable') return [];
  const { module, line } = verdict;
  const subject = {
    kind: 'comparable',
    key: version.matchKey,
    architecture: version.architecture,
    module,
    line,
  } as const;
  const matched = matchPackage(subject, statements, isJudged);
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
    const { counts, judgedKernel, disagreementCount, ...totals } = countHost({
      packages,
      runningKernel,
      facts: hostFacts,
    });
    return { ...counts, ...totals, judgedKernelId: judgedKernel, disagreements: disagreementCount };
  },
};
