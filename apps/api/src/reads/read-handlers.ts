import type { Operations } from '@plimsoll/contract';
import { getAdvisory, getCve } from '../advisories/advisories.ts';
import { listAffectedHosts } from '../advisories/affected-hosts.ts';
import { exportCveHosts, listCveHosts, lookupCves } from '../advisories/cve-hosts.ts';
import { exportAffectedHosts } from '../advisories/export-affected-hosts.ts';
import { listAdvisories } from '../advisories/list-advisories.ts';
import { listPackageHosts } from '../advisories/package-hosts.ts';
import { listPackageNames } from '../advisories/package-names.ts';
import { getHostChanges } from '../changes/host-changes.ts';
import { exportHosts } from '../hosts/export-hosts.ts';
import { listHosts } from '../hosts/list-hosts.ts';
import { getLatestSnapshot, getSnapshot } from '../hosts/snapshots.ts';
import { listDisagreements } from '../packages/disagreements.ts';
import { explainPackage } from '../packages/explain-package.ts';
import { listPackages, listUpgradablePackages } from '../packages/installed-packages.ts';
import { getKernelPosture } from '../packages/kernel-posture.ts';
import { listVulnerablePackages } from '../packages/list-vulnerable-packages.ts';
import { getUpgradePlan } from '../plan/upgrade-plan.ts';
import { listRepositories } from '../repositories/repositories.ts';
import type { LargeReadId } from './large-read-id.ts';
import type { ReadHandler } from './read-operation.ts';

/** What carries out each large read of the contract. */
export const readHandlers: { readonly [Id in LargeReadId]: ReadHandler<Operations[Id]> } = {
  listAdvisories,
  getAdvisory,
  listAffectedHosts,
  exportAffectedHosts,
  getCve,
  listCveHosts,
  exportCveHosts,
  lookupCves,
  listPackageNames,
  listPackageHosts,
  listHosts,
  exportHosts,
  getLatestSnapshot,
  getSnapshot,
  listVulnerablePackages,
  listUpgradablePackages,
  listPackages,
  getKernelPosture,
  getHostChanges,
  getUpgradePlan,
  explainPackage,
  listDisagreements,
  listRepositories,
};
