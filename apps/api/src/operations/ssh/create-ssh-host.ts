import { tagsInScope } from '@plimsoll/db';
import { auditActorOf } from '../../auth/signed-in-user.ts';
import { findHost } from '../hosts/find-host.ts';
import { hostAnswer } from '../hosts/host-answer.ts';
import { keyLinesOf } from '../hosts/key-lines.ts';
import type { Handler } from '../operation-request.ts';
import { newSshHost } from './new-ssh-host.ts';

/** POST /hosts/ssh */
export const createSshHost: Handler<'createSshHost'> = async (request, services) => {
  const { body, caller } = request;
  const { stores } = services;
  const by = auditActorOf(request);
  const tags = tagsInScope(caller.scope, body.tags);
  const collector = await services.collectorKeeper.kept();
  const { newHost, publicKey, isUnique } = await newSshHost(
    body,
    { tags, scope: caller.scope, by },
    services,
  );
  await stores.sshHosts.create(newHost, by);
  const host = await findHost(stores.hosts, caller.scope, newHost.id);
  const lines = keyLinesOf(host, { publicKey, uniqueKeyPair: isUnique }, collector.sha256);
  return { kind: 'json', status: 201, body: { host: hostAnswer(host), ...lines } };
};
