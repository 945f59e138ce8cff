import type { Operation } from './operation.ts';
import { advisoryOperations } from './operations/advisories.ts';
import { agentOperations } from './operations/agent.ts';
import { apiKeyOperations } from './operations/api-keys.ts';
import { auditOperations } from './operations/audit.ts';
import { bulletinOperations } from './operations/bulletins.ts';
import { eventOperations } from './operations/events.ts';
import { evidenceOperations } from './operations/evidence.ts';
import { feedOperations } from './operations/feeds.ts';
import { findingOperations } from './operations/findings.ts';
import { fleetOperations } from './operations/fleet.ts';
import { groupOperations } from './operations/groups.ts';
import { hostOperations } from './operations/hosts.ts';
import { inventoryOperations } from './operations/inventory.ts';
import { invitationOperations } from './operations/invitations.ts';
import { notificationOperations } from './operations/notifications.ts';
import { oidcOperations } from './operations/oidc.ts';
import { packageOperations } from './operations/packages.ts';
import { planOperations } from './operations/plans.ts';
import { policyOperations } from './operations/policies.ts';
import { registrationTokenOperations } from './operations/registration-tokens.ts';
import { reportOperations } from './operations/reports.ts';
import { repositoryOperations } from './operations/repositories.ts';
import { searchOperations } from './operations/search.ts';
import { secondFactorOperations } from './operations/second-factors.ts';
import { serviceOperations } from './operations/service.ts';
import { sessionOperations } from './operations/sessions.ts';
import { signInOperations } from './operations/sign-in.ts';
import { sshOperations } from './operations/ssh.ts';
import { tagOperations } from './operations/tags.ts';
import { userOperations } from './operations/users.ts';
import { waiverOperations } from './operations/waivers.ts';

/** Every operation of the API by its id. An endpoint is one entry here and one handler (docs/adding-an-endpoint.md). */
export const operations = {
  ...serviceOperations,
  ...signInOperations,
  ...sessionOperations,
  ...oidcOperations,
  ...secondFactorOperations,
  ...fleetOperations,
  ...evidenceOperations,
  ...findingOperations,
  ...searchOperations,
  ...tagOperations,
  ...hostOperations,
  ...groupOperations,
  ...inventoryOperations,
  ...sshOperations,
  ...reportOperations,
  ...repositoryOperations,
  ...packageOperations,
  ...planOperations,
  ...advisoryOperations,
  ...waiverOperations,
  ...policyOperations,
  ...registrationTokenOperations,
  ...agentOperations,
  ...feedOperations,
  ...auditOperations,
  ...userOperations,
  ...invitationOperations,
  ...apiKeyOperations,
  ...notificationOperations,
  ...bulletinOperations,
  ...eventOperations,
} as const satisfies Readonly<Record<string, Operation>>;

/** The operations table with each entry's exact type. */
export type Operations = typeof operations;

/** The id of an operation. */
export type OperationId = keyof Operations;

/** Every operation id, in the order of the table. */
export const operationIds = Object.keys(operations) as readonly OperationId[]; // a literal's own keys, nothing inherited

/** An operation without its exact type, for code that treats all operations alike. */
export function operationOf(id: OperationId): Operation {
  return operations[id];
}

/** Whether a browser may download the answers of an operation by itself: exports for users, whose bodies are JSON if they have one. */
export function isDownload({ method, auth, body, readAudit }: Operation): boolean {
  const isReadable = method === 'get' || (method === 'post' && body.kind === 'json');
  return isReadable && auth === 'user' && readAudit === 'data.exported';
}
