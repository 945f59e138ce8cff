import * as advisories from '../operations/advisories/advisories.ts';
import * as affectedHosts from '../operations/advisories/affected-hosts.ts';
import * as cveExposures from '../operations/advisories/cve-exposures.ts';
import * as cveHosts from '../operations/advisories/cve-hosts.ts';
import * as exportAffectedHosts from '../operations/advisories/export-affected-hosts.ts';
import * as listAdvisories from '../operations/advisories/list-advisories.ts';
import * as listUnjudgedHosts from '../operations/advisories/list-unjudged-hosts.ts';
import * as lookupCves from '../operations/advisories/lookup-cves.ts';
import * as packageHosts from '../operations/advisories/package-hosts.ts';
import * as packageNames from '../operations/advisories/package-names.ts';
import * as previewBulletin from '../operations/bulletins/preview-bulletin.ts';
import * as hostChanges from '../operations/changes/host-changes.ts';
import * as compareHosts from '../operations/compare/compare-hosts.ts';
import * as oddOnesOut from '../operations/compare/odd-ones-out.ts';
import * as makeEvidence from '../operations/evidence/make-evidence.ts';
import * as exportFindings from '../operations/findings/export-findings.ts';
import * as listFindings from '../operations/findings/list-findings.ts';
import * as fleet from '../operations/fleet/fleet.ts';
import * as timeToPatch from '../operations/fleet/time-to-patch.ts';
import * as listGroups from '../operations/groups/list-groups.ts';
import * as exportHosts from '../operations/hosts/export-hosts.ts';
import * as listHosts from '../operations/hosts/list-hosts.ts';
import * as snapshots from '../operations/hosts/snapshots.ts';
import * as ansibleInventory from '../operations/inventory/ansible-inventory.ts';
import * as disagreements from '../operations/packages/disagreements.ts';
import * as explainPackage from '../operations/packages/explain-package.ts';
import * as installedPackages from '../operations/packages/installed-packages.ts';
import * as kernelPosture from '../operations/packages/kernel-posture.ts';
import * as listExposures from '../operations/packages/list-exposures.ts';
import * as listVulnerablePackages from '../operations/packages/list-vulnerable-packages.ts';
import * as upgradePlan from '../operations/plan/upgrade-plan.ts';
import * as makePlan from '../operations/plans/make-plan.ts';
import * as planProgress from '../operations/plans/plan-progress.ts';
import * as savedPlans from '../operations/plans/saved-plans.ts';
import * as duePolicy from '../operations/policies/due-policy.ts';
import * as originRules from '../operations/policies/origin-rules.ts';
import * as tagRules from '../operations/policies/tag-rules.ts';
import type { ReadHandler } from '../operations/read-operation.ts';
import * as repositories from '../operations/repositories/repositories.ts';
import * as fleetVex from '../operations/sbom/fleet-vex.ts';
import * as hostSbom from '../operations/sbom/host-sbom.ts';
import * as hostVex from '../operations/sbom/host-vex.ts';
import * as search from '../operations/search/search.ts';
import * as tags from '../operations/tags/tags.ts';
import * as importWaivers from '../operations/waivers/import-waivers.ts';
import * as waivers from '../operations/waivers/waivers.ts';
import type { LargeReadId } from '../reads/read-messages.ts';

/** The handler of each large read. */
export const readHandlers: { readonly [Id in LargeReadId]: ReadHandler<Id> } = {
  ...advisories,
  ...affectedHosts,
  ...cveExposures,
  ...cveHosts,
  ...exportAffectedHosts,
  ...listAdvisories,
  ...listUnjudgedHosts,
  ...lookupCves,
  ...packageHosts,
  ...packageNames,
  ...previewBulletin,
  ...hostChanges,
  ...compareHosts,
  ...oddOnesOut,
  ...makeEvidence,
  ...exportFindings,
  ...listFindings,
  ...fleet,
  ...timeToPatch,
  ...listGroups,
  ...exportHosts,
  ...listHosts,
  ...snapshots,
  ...ansibleInventory,
  ...disagreements,
  ...explainPackage,
  ...installedPackages,
  ...kernelPosture,
  ...listExposures,
  ...listVulnerablePackages,
  ...upgradePlan,
  ...makePlan,
  ...planProgress,
  ...savedPlans,
  ...duePolicy,
  ...originRules,
  ...tagRules,
  ...repositories,
  ...fleetVex,
  ...hostSbom,
  ...hostVex,
  ...search,
  ...tags,
  ...importWaivers,
  ...waivers,
};
