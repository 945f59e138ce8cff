import type { OperationId, Operations } from '@plimsoll/contract';
import { getAdvisory, getCve } from './advisories/advisories.ts';
import { listAffectedHosts } from './advisories/affected-hosts.ts';
import { exportCveHosts, listCveHosts, lookupCves } from './advisories/cve-hosts.ts';
import { exportAffectedHosts } from './advisories/export-affected-hosts.ts';
import { listAdvisories } from './advisories/list-advisories.ts';
import { listPackageHosts } from './advisories/package-hosts.ts';
import { listPackageNames } from './advisories/package-names.ts';
import { getAgentConfig } from './agent/get-agent-config.ts';
import { getAgentScript } from './agent/get-agent-script.ts';
import { getAgentStatus } from './agent/get-agent-status.ts';
import { registerAgent } from './agent/register.ts';
import { uploadSnapshot } from './agent/upload-snapshot.ts';
import { listAuditEvents } from './audit/list-audit-events.ts';
import { changePassword, completeSetup, getMe, getSetupStatus, login, logout } from './auth/sign-in.ts';
import { getHostChanges } from './changes/host-changes.ts';
import { streamEvents } from './events/stream-events.ts';
import { listFeeds, syncFeed } from './feeds/feeds.ts';
import { getImport, importFeed } from './feeds/imports.ts';
import { getFleetSummary, getFleetTrend } from './fleet/fleet.ts';
import { createManualHost } from './hosts/create-manual-host.ts';
import { exportHosts } from './hosts/export-hosts.ts';
import { approveHost, deleteHost, getHost, updateHost } from './hosts/hosts.ts';
import { listHosts } from './hosts/list-hosts.ts';
import { listUploads } from './hosts/list-uploads.ts';
import { getLatestSnapshot, getSnapshot, listSnapshots } from './hosts/snapshots.ts';
import type { Handler } from './http/operation-request.ts';
import { listDisagreements } from './packages/disagreements.ts';
import { explainPackage } from './packages/explain-package.ts';
import { listPackages, listUpgradablePackages } from './packages/installed-packages.ts';
import { getKernelPosture } from './packages/kernel-posture.ts';
import { listVulnerablePackages } from './packages/list-vulnerable-packages.ts';
import { getUpgradePlan } from './plan/upgrade-plan.ts';
import {
  createRegistrationToken,
  listRegistrationTokens,
  revokeRegistrationToken,
} from './registration-tokens/registration-tokens.ts';
import { getCollectorScript } from './reports/get-collector-script.ts';
import { getReport } from './reports/get-report.ts';
import { uploadReport } from './reports/upload-report.ts';
import { listHostRepositories, listRepositories } from './repositories/repositories.ts';
import { getHealth, getMetrics, getOpenApi, getReadiness } from './service/service.ts';
import { getSystem } from './service/system.ts';
import { acceptHostKey } from './ssh/accept-host-key.ts';
import { createSshHost } from './ssh/create-ssh-host.ts';
import { getCollector } from './ssh/get-collector.ts';
import { listPullJobs, pullHostNow } from './ssh/pulls.ts';
import { rotateSshKey } from './ssh/rotate-ssh-key.ts';
import { createUser, deleteUser, listUsers, updateUser } from './users/users.ts';

/** What carries out each operation of the contract. */
export const handlers: { readonly [Id in OperationId]: Handler<Operations[Id]> } = {
  getHealth,
  getReadiness,
  getMetrics,
  getOpenApi,
  getSetupStatus,
  completeSetup,
  login,
  getMe,
  logout,
  changePassword,
  getFleetSummary,
  getFleetTrend,
  listHosts,
  exportHosts,
  getHost,
  createManualHost,
  updateHost,
  deleteHost,
  approveHost,
  getLatestSnapshot,
  listSnapshots,
  getSnapshot,
  listUploads,
  listHostRepositories,
  listRepositories,
  createSshHost,
  pullHostNow,
  listPullJobs,
  acceptHostKey,
  rotateSshKey,
  getCollector,
  getCollectorScript,
  uploadReport,
  getReport,
  listVulnerablePackages,
  listUpgradablePackages,
  listPackages,
  getKernelPosture,
  getHostChanges,
  getUpgradePlan,
  explainPackage,
  listDisagreements,
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
  listRegistrationTokens,
  createRegistrationToken,
  revokeRegistrationToken,
  registerAgent,
  uploadSnapshot,
  getAgentScript,
  getAgentConfig,
  getAgentStatus,
  listFeeds,
  syncFeed,
  importFeed,
  getImport,
  listAuditEvents,
  listUsers,
  createUser,
  updateUser,
  deleteUser,
  streamEvents,
  getSystem,
};
