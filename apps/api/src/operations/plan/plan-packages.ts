import { isSafePackage, type UpgradableRow } from '@plimsoll/advisories';
import type { UpgradePlan } from '@plimsoll/contract';
import type { PackageManager } from '@plimsoll/model';
import type { LoadedAssessment } from '../hosts/find-host.ts';

type Planned = UpgradePlan['packages'][number];
type LeftOut = UpgradePlan['left_out'][number];

/** What an upgrade changes, and which offered updates it leaves out. Both by name, architecture and version. */
export function planPackages(
  { host, assessment }: LoadedAssessment,
  manager: PackageManager | null,
): {
  readonly packages: Planned[];
  readonly leftOut: LeftOut[];
  /** Whether every name and version that an upgrade touches has the form that package managers produce. */
  readonly allSafe: boolean;
} {
  const heldNames = new Set(host.packages.filter(({ held }) => held).map(({ version }) => version.name));
  const packages: Planned[] = [];
  const leftOut: LeftOut[] = [];
  for (const row of assessment.upgradable) {
    const reason = whyLeftOut(row, heldNames, manager);
    if (reason === null) packages.push(plannedRow(row));
    else leftOut.push(leftOutRow(row, reason));
  }
  for (const row of assessment.downgrades) leftOut.push(leftOutRow(row, 'downgrade'));
  let allSafe = leftOut.every(({ reason }) => reason !== 'unsafe_name');
  for (const upgrade of host.upgrades) {
    const isNew = upgrade.installedVersion === '' && !upgrade.held && !upgrade.phased;
    const version = upgrade.candidateVersion;
    if (!isNew || heldNames.has(upgrade.name)) continue;
    if (manager !== null && !isSafePackage(manager, { ...upgrade, version })) {
      allSafe = false;
      continue;
    }
    packages.push({
      name: upgrade.name,
      architecture: upgrade.architecture,
      from_version: null,
      to_version: version,
      repository: upgrade.repository,
      is_security: upgrade.isSecurity,
      severity: null,
      advisory_ids: [...upgrade.advisoryIds].sort(),
    });
  }
  return { packages: packages.sort(byName), leftOut: leftOut.sort(byName), allSafe };
}

function whyLeftOut(
  row: UpgradableRow,
  heldNames: ReadonlySet<string>,
  manager: PackageManager | null,
): LeftOut['reason'] | null {
  if (row.held || heldNames.has(row.name)) return 'held';
  if (row.phased) return 'phased';
  const isSafe = manager === null || isSafePackage(manager, { ...row, version: row.candidateVersion });
  return isSafe ? null : 'unsafe_name';
}

function plannedRow(row: UpgradableRow): Planned {
  return {
    name: row.name,
    architecture: row.architecture,
    from_version: row.installedVersion,
    to_version: row.candidateVersion,
    repository: row.repository,
    is_security: row.isSecurity,
    severity: row.severity,
    advisory_ids: [...row.advisoryIds],
  };
}

function leftOutRow(row: UpgradableRow, reason: LeftOut['reason']): LeftOut {
  return {
    name: row.name,
    architecture: row.architecture,
    from_version: row.installedVersion,
    to_version: row.candidateVersion,
    severity: row.severity,
    reason,
  };
}

type Named = Pick<Planned, 'name' | 'architecture' | 'to_version'>;

function byName(a: Named, b: Named): number {
  for (const field of ['name', 'architecture', 'to_version'] as const) {
    if (a[field] !== b[field]) return a[field] < b[field] ? -1 : 1;
  }
  return 0;
}
