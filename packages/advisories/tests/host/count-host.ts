import {
  architecturesByName,
  type CountedFinding,
  type CountedHost,
  countKernels,
  DueTally,
  type HostTotals,
  isOffered,
  sumsOf,
  tallyUpdates,
  totalsOf,
} from '../../src/index.ts';

/** A finding with the time at which it is due; infinite: at none. */
export interface TimedFinding extends CountedFinding {
  readonly dueAt: number;
}

/** Counts a whole host as one part. */
export function countHost(host: CountedHost): {
  readonly totals: HostTotals;
  readonly findings: readonly TimedFinding[];
} {
  const { packages, facts } = host;
  const part = countKernels(host);
  const due = new DueTally(facts.due);
  const findings = part.findings.map((each) => ({
    ...each,
    dueAt: due.add(each.due, each.entry.versionId),
  }));
  const held = packages.filter(({ id }) => facts.held.has(id));
  const updates = tallyUpdates(facts.upgrades.filter(isOffered), {
    heldArchitectures: architecturesByName(held),
  });
  return { totals: totalsOf(sumsOf({ facts, kernels: part.kernels }, part, { updates, due })), findings };
}
