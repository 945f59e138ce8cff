import type { FixState } from '@plimsoll/model';
import { commonState } from './finding-entries.ts';
import type { HostFacts } from './host-facts.ts';
import { openingEffect } from './opening.ts';
import type { PackageSummary } from './package-summary.ts';
import { fixStateOf } from './read-host.ts';

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

/**
 * The fix state of all advisories with a fix of such packages on a host; null: none has a fix. Undefined: they have
 * several states, and which advisory has which differs between the packages.
 */
export function alikeState({ openings }: PackageSummary, facts: HostFacts): FixState | null | undefined {
  const supply = { offers: [], known: facts.updates === 'known', held: false };
  return commonState(openings.map((opening) => ({ opening, state: fixStateOf(opening.fix, supply, facts) })));
}
