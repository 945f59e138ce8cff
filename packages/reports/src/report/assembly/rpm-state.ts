import type { SectionFailure } from '@plimsoll/model';
import { hasSectionFailed } from '../section-notes.ts';
import type { ReportFacts } from '../section-registry.ts';
import { rpmBroken } from './broken-fields.ts';
import type { FamilyState } from './family-state.ts';
import { lockedNames } from './locked-names.ts';
import { rpmKernels } from './rpm-kernels.ts';
import { rpmPackages } from './rpm-packages.ts';
import { rpmUpgrades } from './rpm-upgrades.ts';
import { failureIn } from './section-failure.ts';

/** Combines the sections of an rpm report. @param failed of its sections. */
export function rpmState(facts: ReportFacts, failed: readonly SectionFailure[]): FamilyState {
  const packages = facts.rpm ?? [];
  const updates = facts.updates ?? [];
  const withoutLocks = facts['updates-held'] ?? [];
  const names = new Set([...packages, ...updates, ...withoutLocks].map(({ name }) => name));
  const locks = lockedNames(facts.locks ?? [], names);
  const failures: SectionFailure[] = locks.kind === 'unknown' ? [failureIn('locks', locks.reason)] : [];
  const locked: ReadonlySet<string> = locks.kind === 'known' ? locks.names : new Set();
  if (facts['updates-held'] === null && locked.size > 0)
    failures.push(
      failureIn('updates-held', 'packages are locked, and the updates without locks are not known'),
    );
  // A package that is offered despite a lock is allowed by the lock.
  const held = new Set(locked);
  for (const { name } of updates) held.delete(name);
  const advisories = facts.advisories ?? [];
  const upgrades = rpmUpgrades({
    updates,
    areRead: !hasSectionFailed(failed, 'updates'),
    withoutLocks,
    locked,
    advisories,
    packages,
  });
  return {
    packages: rpmPackages(packages, held),
    packageLines: packages.map(({ line }) => line),
    upgrades: upgrades.map(({ fields }) => fields),
    upgradeLines: upgrades.map(({ line }) => line),
    broken: rpmBroken(packages, facts['install-only']),
    kernels: rpmKernels(packages),
    repositories: (facts.repositories ?? []).map((repository) => ({ ...repository, suite: '', origin: '' })),
    subscription: facts.subscription,
    failures,
    sectionsOfFields: [
      ['/packages', 'rpm'],
      ['/upgradable', 'updates'],
      ['/repositories', 'repositories'],
      ['/subscription', 'subscription'],
    ],
  };
}
