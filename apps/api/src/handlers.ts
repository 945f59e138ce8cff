import * as getAgentConfig from './operations/agent/get-agent-config.ts';
import * as getAgentScript from './operations/agent/get-agent-script.ts';
import * as getAgentStatus from './operations/agent/get-agent-status.ts';
import * as register from './operations/agent/register.ts';
import * as uploadSnapshot from './operations/agent/upload-snapshot.ts';
import * as apiKeys from './operations/api-keys/api-keys.ts';
import * as listAuditEvents from './operations/audit/list-audit-events.ts';
import * as bulletins from './operations/bulletins/bulletins.ts';
import * as streamEvents from './operations/events/stream-events.ts';
import * as evidenceKeys from './operations/evidence/evidence-keys.ts';
import * as feeds from './operations/feeds/feeds.ts';
import * as imports from './operations/feeds/imports.ts';
import * as fleet from './operations/fleet/fleet.ts';
import * as groups from './operations/groups/groups.ts';
import * as actOnHosts from './operations/hosts/act-on-hosts.ts';
import * as createManualHost from './operations/hosts/create-manual-host.ts';
import * as hosts from './operations/hosts/hosts.ts';
import * as listUploads from './operations/hosts/list-uploads.ts';
import * as snapshots from './operations/hosts/snapshots.ts';
import * as invitations from './operations/invitations/invitations.ts';
import * as channels from './operations/notifications/channels.ts';
import * as confirmations from './operations/notifications/confirmations.ts';
import * as deliveries from './operations/notifications/deliveries.ts';
import * as routes from './operations/notifications/routes.ts';
import type { Handlers } from './operations/operation-request.ts';
import * as savedPlans from './operations/plans/saved-plans.ts';
import * as duePolicy from './operations/policies/due-policy.ts';
import * as exposureRules from './operations/policies/exposure-rules.ts';
import * as originRules from './operations/policies/origin-rules.ts';
import * as tagRules from './operations/policies/tag-rules.ts';
import * as registrationTokens from './operations/registration-tokens/registration-tokens.ts';
import * as getCollectorScript from './operations/reports/get-collector-script.ts';
import * as getReport from './operations/reports/get-report.ts';
import * as uploadReport from './operations/reports/upload-report.ts';
import * as repositories from './operations/repositories/repositories.ts';
import * as ownFactors from './operations/second-factors/own-factors.ts';
import * as signInSteps from './operations/second-factors/sign-in-steps.ts';
import * as quarantine from './operations/service/quarantine.ts';
import * as securityContact from './operations/service/security-contact.ts';
import * as service from './operations/service/service.ts';
import * as system from './operations/service/system.ts';
import * as allowDownload from './operations/sessions/allow-download.ts';
import * as refreshSession from './operations/sessions/refresh-session.ts';
import * as sessions from './operations/sessions/sessions.ts';
import * as oidc from './operations/sign-in/oidc.ts';
import * as signIn from './operations/sign-in/sign-in.ts';
import * as acceptHostKey from './operations/ssh/accept-host-key.ts';
import * as createSshHost from './operations/ssh/create-ssh-host.ts';
import * as createSshHosts from './operations/ssh/create-ssh-hosts.ts';
import * as getCollector from './operations/ssh/get-collector.ts';
import * as pulls from './operations/ssh/pulls.ts';
import * as rotateSshKey from './operations/ssh/rotate-ssh-key.ts';
import * as users from './operations/users/users.ts';
import * as waivers from './operations/waivers/waivers.ts';
import { readHandlers } from './serving/read-handlers.ts';

/** The handler of each operation of the contract. */
export const handlers: Handlers = {
  ...readHandlers,
  ...getAgentConfig,
  ...getAgentScript,
  ...getAgentStatus,
  ...register,
  ...uploadSnapshot,
  ...apiKeys,
  ...listAuditEvents,
  ...bulletins,
  ...streamEvents,
  ...evidenceKeys,
  ...feeds,
  ...imports,
  ...fleet,
  ...groups,
  ...actOnHosts,
  ...createManualHost,
  ...hosts,
  ...listUploads,
  ...snapshots,
  ...invitations,
  ...channels,
  ...confirmations,
  ...deliveries,
  ...routes,
  ...savedPlans,
  ...duePolicy,
  ...exposureRules,
  ...originRules,
  ...tagRules,
  ...registrationTokens,
  ...getCollectorScript,
  ...getReport,
  ...uploadReport,
  ...repositories,
  ...ownFactors,
  ...signInSteps,
  ...securityContact,
  ...service,
  ...system,
  ...allowDownload,
  ...refreshSession,
  ...sessions,
  ...oidc,
  ...signIn,
  ...acceptHostKey,
  ...createSshHost,
  ...createSshHosts,
  ...getCollector,
  ...pulls,
  ...rotateSshKey,
  ...quarantine,
  ...users,
  ...waivers,
};
