import { getAgentConfig } from './operations/agent/get-agent-config.ts';
import { getAgentScript } from './operations/agent/get-agent-script.ts';
import { getAgentStatus } from './operations/agent/get-agent-status.ts';
import { registerAgent } from './operations/agent/register.ts';
import { uploadSnapshot } from './operations/agent/upload-snapshot.ts';
import { createApiKey, endApiKey, listApiKeys } from './operations/api-keys/api-keys.ts';
import { listAuditEvents } from './operations/audit/list-audit-events.ts';
import {
  createBulletin,
  deleteBulletin,
  listBulletins,
  sendBulletin,
  updateBulletin,
} from './operations/bulletins/bulletins.ts';
import { streamEvents } from './operations/events/stream-events.ts';
import { createEvidenceKey, listEvidenceKeys } from './operations/evidence/evidence-keys.ts';
import { listFeeds, syncFeed } from './operations/feeds/feeds.ts';
import { getImport, importFeed } from './operations/feeds/imports.ts';
import { getFleetSummary } from './operations/fleet/fleet.ts';
import { createGroup, deleteGroup, updateGroup } from './operations/groups/groups.ts';
import { actOnHosts } from './operations/hosts/act-on-hosts.ts';
import { createManualHost } from './operations/hosts/create-manual-host.ts';
import { approveHost, deleteHost, getHost, updateHost } from './operations/hosts/hosts.ts';
import { listUploads } from './operations/hosts/list-uploads.ts';
import { listSnapshots } from './operations/hosts/snapshots.ts';
import {
  acceptInvitation,
  createInvitation,
  listInvitations,
  revokeInvitation,
} from './operations/invitations/invitations.ts';
import {
  createChannel,
  deleteChannel,
  listChannels,
  updateChannel,
} from './operations/notifications/channels.ts';
import { confirmAddress, sendConfirmations } from './operations/notifications/confirmations.ts';
import {
  listDeliveries,
  listFailedEvents,
  resendDelivery,
  retryFailedEvent,
  testChannel,
} from './operations/notifications/deliveries.ts';
import { createRoute, deleteRoute, listRoutes, updateRoute } from './operations/notifications/routes.ts';
import type { Handlers } from './operations/operation-request.ts';
import { deleteSavedPlan, listSavedPlans } from './operations/plans/saved-plans.ts';
import { getDuePolicy, setDuePolicy } from './operations/policies/due-policy.ts';
import { getExposureRules, setExposureRules } from './operations/policies/exposure-rules.ts';
import { getTagRules, setTagRules } from './operations/policies/tag-rules.ts';
import {
  createRegistrationToken,
  listRegistrationTokens,
  revokeRegistrationToken,
} from './operations/registration-tokens/registration-tokens.ts';
import { getCollectorScript } from './operations/reports/get-collector-script.ts';
import { getReport } from './operations/reports/get-report.ts';
import { uploadReport } from './operations/reports/upload-report.ts';
import { listHostRepositories } from './operations/repositories/repositories.ts';
import {
  addPasskey,
  confirmTotp,
  getPasskeyOptions,
  getSecondFactor,
  makeRecoveryCodes,
  removePasskey,
  removeTotp,
  setUpTotp,
} from './operations/second-factors/own-factors.ts';
import {
  answerSecondFactor,
  getPasskeySignInOptions,
  getReauthenticationOptions,
  reauthenticate,
  signInWithPasskey,
} from './operations/second-factors/sign-in-steps.ts';
import { getSecurityContact } from './operations/service/security-contact.ts';
import { getHealth, getMetrics, getOpenApi, getReadiness } from './operations/service/service.ts';
import { getSystem } from './operations/service/system.ts';
import { allowDownload } from './operations/sessions/allow-download.ts';
import { refreshSession } from './operations/sessions/refresh-session.ts';
import { endSession, endSessions, listSessions } from './operations/sessions/sessions.ts';
import { endOidc, finishOidc, getSignInMethods, startOidc } from './operations/sign-in/oidc.ts';
import {
  changePassword,
  completeSetup,
  getMe,
  getSetupStatus,
  login,
  logout,
} from './operations/sign-in/sign-in.ts';
import { acceptHostKey } from './operations/ssh/accept-host-key.ts';
import { createSshHost } from './operations/ssh/create-ssh-host.ts';
import { createSshHosts } from './operations/ssh/create-ssh-hosts.ts';
import { getCollector } from './operations/ssh/get-collector.ts';
import { listPullJobs, pullHostNow } from './operations/ssh/pulls.ts';
import { rotateSshKey } from './operations/ssh/rotate-ssh-key.ts';
import {
  createUser,
  deleteUser,
  listUsers,
  resetSecondFactor,
  updateUser,
} from './operations/users/users.ts';
import { endWaiver } from './operations/waivers/waivers.ts';
import { readHandlers } from './serving/read-handlers.ts';

/** The handler of each operation of the contract. */
export const handlers: Handlers = {
  ...readHandlers,
  getHealth,
  getReadiness,
  getSecurityContact,
  getMetrics,
  getOpenApi,
  getSetupStatus,
  completeSetup,
  login,
  refreshSession,
  allowDownload,
  listSessions,
  endSession,
  endSessions,
  getSignInMethods,
  startOidc,
  finishOidc,
  endOidc,
  getMe,
  logout,
  changePassword,
  answerSecondFactor,
  getPasskeySignInOptions,
  signInWithPasskey,
  reauthenticate,
  getReauthenticationOptions,
  getSecondFactor,
  setUpTotp,
  confirmTotp,
  removeTotp,
  makeRecoveryCodes,
  getPasskeyOptions,
  addPasskey,
  removePasskey,
  getFleetSummary,
  getHost,
  createManualHost,
  updateHost,
  deleteHost,
  approveHost,
  actOnHosts,
  createGroup,
  updateGroup,
  deleteGroup,
  listSnapshots,
  listUploads,
  listHostRepositories,
  createSshHost,
  createSshHosts,
  pullHostNow,
  listPullJobs,
  acceptHostKey,
  rotateSshKey,
  getCollector,
  getCollectorScript,
  uploadReport,
  getReport,
  endWaiver,
  listEvidenceKeys,
  createEvidenceKey,
  getDuePolicy,
  setDuePolicy,
  getExposureRules,
  setExposureRules,
  getTagRules,
  setTagRules,
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
  listApiKeys,
  createApiKey,
  endApiKey,
  listChannels,
  createChannel,
  updateChannel,
  deleteChannel,
  testChannel,
  confirmAddress,
  sendConfirmations,
  resendDelivery,
  listFailedEvents,
  retryFailedEvent,
  listBulletins,
  createBulletin,
  updateBulletin,
  deleteBulletin,
  sendBulletin,
  listRoutes,
  createRoute,
  updateRoute,
  deleteRoute,
  listDeliveries,
  listUsers,
  createUser,
  listSavedPlans,
  deleteSavedPlan,
  listInvitations,
  createInvitation,
  revokeInvitation,
  acceptInvitation,
  updateUser,
  deleteUser,
  resetSecondFactor,
  streamEvents,
  getSystem,
};
