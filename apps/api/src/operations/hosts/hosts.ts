import type { SshTargetChanges } from '@plimsoll/db';
import { auditActorOf } from '../../auth/signed-in-user.ts';
import { given } from '../given.ts';
import type { Handler } from '../operation-request.ts';
import { findHost, hostNotFound } from './find-host.ts';
import { findSshHost } from './find-ssh-host.ts';
import { hostAnswer } from './host-answer.ts';
import { hostDetailAnswer } from './host-detail.ts';
import { staleAfterSeconds } from './stale-after.ts';

type Changes = Parameters<Handler<'updateHost'>>[0]['body'];

/** GET /hosts/{id} */
export const getHost: Handler<'getHost'> = async ({ params, caller }, services) => ({
  kind: 'json',
  status: 200,
  body: await hostDetailAnswer(await findHost(services.stores.hosts, caller.scope, params.id), services),
});

/** PATCH /hosts/{id} */
export const updateHost: Handler<'updateHost'> = async (request, { stores }) => {
  const { params, body, caller } = request;
  const { display_name, tags, exposure } = body;
  const by = auditActorOf(request);
  const changes = given({ displayName: display_name, tags, exposure });
  const targetChanges = targetChangesOf(body);
  if (Object.keys(targetChanges).length === 0) {
    await stores.hosts.update(caller.scope, params.id, changes, by);
  } else {
    await findSshHost(stores, caller.scope, params.id);
    if (!(await stores.sshHosts.update(caller.scope, params.id, { ...changes, ...targetChanges }, by)))
      throw hostNotFound();
  }
  return {
    kind: 'json',
    status: 200,
    body: hostAnswer(await findHost(stores.hosts, caller.scope, params.id)),
  };
};

/** POST /hosts/{id}/approve */
export const approveHost: Handler<'approveHost'> = async (request, { stores }) => {
  const { params, caller } = request;
  await stores.hosts.approve(caller.scope, params.id, auditActorOf(request));
  return {
    kind: 'json',
    status: 200,
    body: hostAnswer(await findHost(stores.hosts, caller.scope, params.id)),
  };
};

/** DELETE /hosts/{id} */
export const deleteHost: Handler<'deleteHost'> = async (request, { stores }) => {
  const { params, caller } = request;
  if (!(await stores.hosts.delete(caller.scope, params.id, auditActorOf(request)))) throw hostNotFound();
  return { kind: 'empty', status: 204 };
};

function targetChangesOf({ ssh_user, port, frequency_minutes, pull_paused }: Changes): SshTargetChanges {
  return {
    ...given({ user: ssh_user, port, pullPaused: pull_paused }),
    ...(frequency_minutes === undefined
      ? {}
      : {
          frequency: {
            minutes: frequency_minutes,
            staleAfterSeconds: staleAfterSeconds(frequency_minutes * 60),
          },
        }),
  };
}
