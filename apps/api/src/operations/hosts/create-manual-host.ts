import { newId, tagsInScope } from '@plimsoll/db';
import type { HostId } from '@plimsoll/model';
import { auditActorOf } from '../../auth/signed-in-user.ts';
import type { Handler } from '../operation-request.ts';
import { findHost } from './find-host.ts';
import { hostAnswer } from './host-answer.ts';

/** POST /hosts/manual */
export const createManualHost: Handler<'createManualHost'> = async (request, { stores, settings }) => {
  const id = newId<HostId>();
  const host = {
    id,
    onboardingMode: 'manual',
    displayName: request.body.display_name,
    hostname: request.body.hostname,
    tags: tagsInScope(request.caller.scope, request.body.tags),
    exposure: request.body.exposure,
    staleAfterSeconds: settings.manualStaleAfterSeconds,
  } as const;
  await stores.hosts.create(host, auditActorOf(request));
  return {
    kind: 'json',
    status: 201,
    body: hostAnswer(await findHost(stores.hosts, request.caller.scope, id)),
  };
};
