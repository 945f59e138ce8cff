import type { OperationId, Operations } from '@plimsoll/contract';
import { getAgentConfig } from './agent/get-agent-config.ts';
import { getAgentScript } from './agent/get-agent-script.ts';
import { getAgentStatus } from './agent/get-agent-status.ts';
import { registerAgent } from './agent/register.ts';
import { uploadSnapshot } from './agent/upload-snapshot.ts';
import { listAuditEvents } from './audit/list-audit-events.ts';
import { changePassword, completeSetup, getMe, getSetupStatus, login, logout } from './auth/sign-in.ts';
import { streamEvents } from './events/stream-events.ts';
import { listFeeds, syncFeed } from './feeds/feeds.ts';
import { getImport, importFeed } from './feeds/imports.ts';
import { getFleetSummary, getFleetTrend } from './fleet/fleet.ts';
import { createManualHost } from './hosts/create-manual-host.ts';
import { approveHost, deleteHost, getHost, updateHost } from './hosts/hosts.ts';
import { listUploads } from './hosts/list-uploads.ts';
import { listSnapshots } from './hosts/snapshots.ts';
import type { Handler } from './http/operation-request.ts';
import { readHandlers } from './reads/read-handlers.ts';
import {
  createRegistrationToken,
  listRegistrationTokens,
  revokeRegistrationToken,
} from './registration-tokens/registration-tokens.ts';
import { getCollectorScript } from './reports/get-collector-script.ts';
import { getReport } from './reports/get-report.ts';
import { uploadReport } from './reports/upload-report.ts';
import { listHostRepositories } from './repositories/repositories.ts';
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
  ...readHandlers,
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
  getHost,
  createManualHost,
  updateHost,
  deleteHost,
  approveHost,
  listSnapshots,
  listUploads,
  listHostRepositories,
  createSshHost,
  pullHostNow,
  listPullJobs,
  acceptHostKey,
  rotateSshKey,
  getCollector,
  getCollectorScript,
  uploadReport,
  getReport,
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
