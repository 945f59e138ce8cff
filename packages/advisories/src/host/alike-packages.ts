import type { FixState, PackageVersionId, StatementFix } from '@plimsoll/model';
import type { HostFacts } from './host-facts.ts';
import { openingEffect, type PackageSummary } from './package-summary.ts';
import { fixStateOf, type OpeningState } from './read-host.ts';

/** Installed packages of one host that add the same to its totals. */
export interface AlikePackages {
  /** Of any of them. */
  readonly summary: Pick<PackageSummary, 'standing' | 'weight' | 'openings'>;
  readonly ids: readonly PackageVersionId[];
}

/**
 * A key that is equal for packages that add the same to the totals of a host that has no update under the name of one
 * of them, and holds none. Null if what a package adds depends on more than that: kernels, metapackages of kernels,
 * live patches, and what is partly waived.
 */
export function alikeKey({
  standing,
  weight,
  waived,
  openings,
  kernel,
  livePatch,
  metapackageFlavour,
}: PackageSummary): string | null {
  if (waived !== null || kernel !== null || livePatch !== null || metapackageFlavour !== null) return null;
  const effects = new Set(openings.map(openingEffect));
  const { severity, fixed, decided, knownExploited } = weight ?? {};
  return [standing, severity, fixed, decided, knownExploited, ...[...effects].sort()].join('\n');
}

/** The fix states of the openings of such a package. */
export function alikeStates(
  { openings }: Pick<PackageSummary, 'openings'>,
  facts: HostFacts,
): readonly OpeningState[] {
  const supply = { offers: [], known: facts.updates === 'known', held: false };
  const stateOf = (fix: StatementFix): FixState => fixStateOf(fix, supply, facts);
  return openings.map((opening) => ({ opening, state: stateOf(opening.fix) }));
}
