import type { Operations } from '@plimsoll/contract';
import { getAdvisory, getCve, getCveProgress } from '../operations/advisories/advisories.ts';
import { listAffectedHosts } from '../operations/advisories/affected-hosts.ts';
import { listCveExposures } from '../operations/advisories/cve-exposures.ts';
import { exportCveHosts, listCveHosts } from '../operations/advisories/cve-hosts.ts';
import { exportAffectedHosts } from '../operations/advisories/export-affected-hosts.ts';
import { listAdvisories } from '../operations/advisories/list-advisories.ts';
import { listUnjudgedHosts } from '../operations/advisories/list-unjudged-hosts.ts';
import { lookupCves } from '../operations/advisories/lookup-cves.ts';
import { exportPackageHosts, listPackageHosts } from '../operations/advisories/package-hosts.ts';
import { listPackageNames } from '../operations/advisories/package-names.ts';
import { previewBulletin } from '../operations/bulletins/preview-bulletin.ts';
import { getHostChanges } from '../operations/changes/host-changes.ts';
import { compareHosts } from '../operations/compare/compare-hosts.ts';
import { findOddHosts } from '../operations/compare/odd-ones-out.ts';
import { makeEvidence } from '../operations/evidence/make-evidence.ts';
import { exportFindings } from '../operations/findings/export-findings.ts';
import { listFindings } from '../operations/findings/list-findings.ts';
import { getFleetTrend } from '../operations/fleet/fleet.ts';
import { getTimeToPatch } from '../operations/fleet/time-to-patch.ts';
import { listGroups } from '../operations/groups/list-groups.ts';
import { exportHosts, exportSelectedHosts, listHostIds } from '../operations/hosts/export-hosts.ts';
import { listHosts } from '../operations/hosts/list-hosts.ts';
import { getLatestSnapshot, getSnapshot } from '../operations/hosts/snapshots.ts';
import { getAnsibleInventory } from '../operations/inventory/ansible-inventory.ts';
import { listDisagreements } from '../operations/packages/disagreements.ts';
import { explainPackage } from '../operations/packages/explain-package.ts';
import { listPackages, listUpgradablePackages } from '../operations/packages/installed-packages.ts';
import { getKernelPosture } from '../operations/packages/kernel-posture.ts';
import { listHostExposures } from '../operations/packages/list-exposures.ts';
import { listVulnerablePackages } from '../operations/packages/list-vulnerable-packages.ts';
import { getUpgradePlan } from '../operations/plan/upgrade-plan.ts';
import { makePlan } from '../operations/plans/make-plan.ts';
import { getPlanProgress } from '../operations/plans/plan-progress.ts';
import { getSavedPlan, savePlan } from '../operations/plans/saved-plans.ts';
import { previewDuePolicy } from '../operations/policies/due-policy.ts';
import { previewTagRules } from '../operations/policies/tag-rules.ts';
import type { ReadHandler } from '../operations/read-operation.ts';
import { listRepositories } from '../operations/repositories/repositories.ts';
import { getFleetVex } from '../operations/sbom/fleet-vex.ts';
import { getHostSbom } from '../operations/sbom/host-sbom.ts';
import { getHostVex } from '../operations/sbom/host-vex.ts';
import { search } from '../operations/search/search.ts';
import { listTags } from '../operations/tags/tags.ts';
import { importWaivers } from '../operations/waivers/import-waivers.ts';
import { createWaiver, getWaiver, listWaivers, updateWaiver } from '../operations/waivers/waivers.ts';
import type { LargeReadId } from '../reads/read-messages.ts';

/** The handler of each large read. */
export const readHandlers: { readonly [Id in LargeReadId]: ReadHandler<Operations[Id]> } = {
  listAdvisories,
  getAdvisory,
  listAffectedHosts,
  exportAffectedHosts,
  listUnjudgedHosts,
  getCve,
  listCveHosts,
  listCveExposures,
  getCveProgress,
  exportCveHosts,
  lookupCves,
  listPackageNames,
  exportPackageHosts,
  listPackageHosts,
  makeEvidence,
  compareHosts,
  findOddHosts,
  listFindings,
  exportFindings,
  previewBulletin,
  getFleetTrend,
  getTimeToPatch,
  listHosts,
  listGroups,
  exportHosts,
  exportSelectedHosts,
  listHostIds,
  getAnsibleInventory,
  getLatestSnapshot,
  getSnapshot,
  listVulnerablePackages,
  listUpgradablePackages,
  listPackages,
  getKernelPosture,
  getHostChanges,
  listHostExposures,
  getUpgradePlan,
  getHostSbom,
  getHostVex,
  getFleetVex,
  makePlan,
  savePlan,
  getSavedPlan,
  getPlanProgress,
  explainPackage,
  listDisagreements,
  listRepositories,
  search,
  listTags,
  previewDuePolicy,
  previewTagRules,
  listWaivers,
  getWaiver,
  createWaiver,
  importWaivers,
  updateWaiver,
};
