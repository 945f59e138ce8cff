import type { Operations } from '@plimsoll/contract';
import { newId } from '@plimsoll/db';
import type { HostId } from '@plimsoll/model';
import type { Handler } from '../http/operation-request.ts';
import { findHost } from './find-host.ts';
import { hostAnswer } from './host-answer.ts';

/** POST /hosts/manual */
export const createManualHost: Handler<Operations['createManualHost']> = async (
  { body },
  { stores, settings },
) => {
  const id = newId<HostId>();
  await stores.hosts.create({
    id,
    onboardingMode: 'manual',
    displayName: body.display_name,
    hostname: body.hostname,
    staleAfterSeconds: settings.manualStaleAfterSeconds,
  });
  return { kind: 'json', status: 201, body: hostAnswer(await findHost(stores.hosts, id)) };
};
