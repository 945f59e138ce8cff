import {
  type CoreHistory,
  coreUpdatesSinceBoot,
  distributionOf,
  type HostFacts,
  type HostUpgrade,
} from '@plimsoll/advisories';
import type { CoreInstall, Lifecycle, PackageVersionId, Release } from '@plimsoll/model';
import type { AssessedFacts } from '../snapshots/read-facts.ts';

/**
 * Section names with which collectors report that they could not read updates: the field name in snapshot.proto, and
 * the plain word.
 */
const updateSections: ReadonlySet<string> = new Set(['upgradable', 'updates']);

/** The facts of a stored snapshot in the form that assessing and counting take. */
export function toHostFacts(stored: {
  readonly release: Release;
  readonly lifecycle: Lifecycle | null;
  readonly facts: AssessedFacts;
  readonly bootedAt: Date | null;
  readonly coreHistory: CoreHistory | null;
  readonly upgrades: readonly HostUpgrade[];
  readonly held: ReadonlySet<PackageVersionId>;
}): HostFacts {
  const { platform, kernel, services, subscription, failures } = stored.facts;
  return {
    release: distributionOf(stored.release) === null ? null : stored.release,
    lifecycle: stored.lifecycle,
    virtualization: platform.virtualization,
    kernel,
    services,
    subscription,
    failures,
    bootedAt: stored.bootedAt,
    coreUpdates: coreUpdatesOf(stored.facts, stored.coreHistory),
    upgrades: stored.upgrades,
    updates: failures.some(({ section }) => updateSections.has(section.toLowerCase())) ? 'unknown' : 'known',
    held: stored.held,
  };
}

function coreUpdatesOf(
  { coreInstalls = [], firstInstallAt }: AssessedFacts,
  history: CoreHistory | null,
): readonly CoreInstall[] {
  if (history === null) return [];
  const installs = coreInstalls.map((install) => ({
    ...install,
    installedAt: new Date(install.installedAt),
  }));
  return coreUpdatesSinceBoot(
    { installs, firstInstallAt: firstInstallAt === undefined ? null : new Date(firstInstallAt) },
    history,
  );
}
