import { auditActorOf } from '../../auth/signed-in-user.ts';
import { hostNotFound } from '../hosts/find-host.ts';
import { findSshHost } from '../hosts/find-ssh-host.ts';
import { hostDetailAnswer } from '../hosts/host-detail.ts';
import type { Handler } from '../operation-request.ts';

/** POST /hosts/{id}/ssh/accept-host-key */
export const acceptHostKey: Handler<'acceptHostKey'> = async (request, services) => {
  const { stores } = services;
  const { id } = await findSshHost(stores, request.caller.scope, request.params.id);
  const accepted = await stores.sshHosts.acceptHostKey(id, request.body.fingerprint, auditActorOf(request));
  if (!accepted) throw hostNotFound();
  return {
    kind: 'json',
    status: 200,
    body: await hostDetailAnswer(await findSshHost(stores, request.caller.scope, id), services),
  };
};
