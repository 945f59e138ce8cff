import { auditActorOf } from '../../auth/signed-in-user.ts';
import { hostNotFound } from '../hosts/find-host.ts';
import { findSshHost } from '../hosts/find-ssh-host.ts';
import { hostAnswer } from '../hosts/host-answer.ts';
import { keyLinesOf } from '../hosts/key-lines.ts';
import type { Handler } from '../operation-request.ts';
import { newKeyPair } from './new-key-pair.ts';

/** POST /hosts/{id}/ssh/rotate-key */
export const rotateSshKey: Handler<'rotateSshKey'> = async (request, services) => {
  const { stores, settings, collectorKeeper } = services;
  const { id } = await findSshHost(stores, request.caller.scope, request.params.id);
  const collector = await collectorKeeper.kept();
  const pair = await newKeyPair(settings.sealingPublicKeyFile);
  if (!(await stores.sshHosts.rotateKey(id, pair, auditActorOf(request)))) throw hostNotFound();
  const host = await findSshHost(stores, request.caller.scope, id);
  const lines = keyLinesOf(host, { publicKey: pair.publicKey, uniqueKeyPair: true }, collector.sha256);
  return { kind: 'json', status: 200, body: { host: hostAnswer(host), ...lines } };
};
