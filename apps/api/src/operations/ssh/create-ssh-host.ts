import type { Operations } from '@plimsoll/contract';
import { type AuditActor, type NewSshHost, newId, tagsInScope } from '@plimsoll/db';
import type { HostId, HostScope } from '@plimsoll/model';
import { auditActorOf } from '../../auth/signed-in-user.ts';
import type { ApiServices } from '../../context.ts';
import { findHost } from '../hosts/find-host.ts';
import { hostAnswer } from '../hosts/host-answer.ts';
import { keyLinesOf } from '../hosts/key-lines.ts';
import { staleAfterSeconds } from '../hosts/stale-after.ts';
import type { Handler } from '../operation-request.ts';
import { installationPair } from './installation-pair.ts';
import { newKeyPair } from './new-key-pair.ts';

/** POST /hosts/ssh */
export const createSshHost: Handler<Operations['createSshHost']> = async (request, services) => {
  const { body, caller } = request;
  const { stores } = services;
  const by = auditActorOf(request);
  const tags = tagsInScope(caller.scope, body.tags);
  const collector = await services.collectorKeeper.kept();
  const isUnique = body.unique_key_pair || needsOwnPair(caller.scope);
  const { keyPair, publicKey } = await keyPairOf(isUnique, services, by);
  const id = newId<HostId>();
  const newHost = {
    id,
    displayName: body.display_name,
    hostname: body.hostname,
    tags,
    staleAfterSeconds: staleAfterSeconds(body.frequency_minutes * 60),
    user: body.ssh_user,
    port: body.port,
    frequencyMinutes: body.frequency_minutes,
    keyPair,
    hostKeyFingerprint: body.host_key_fingerprint ?? null,
  };
  await stores.sshHosts.create(newHost, by);
  const host = await findHost(stores.hosts, caller.scope, id);
  const lines = keyLinesOf(host, { publicKey, uniqueKeyPair: isUnique }, collector.sha256);
  return { kind: 'json', status: 201, body: { host: hostAnswer(host), ...lines } };
};

/**
 * Whether hosts of a caller get their own key pair in any case. The installation's pair is accepted by hosts that a
 * limited caller may not see: with it, a new host with the address of one of them would show that host's packages.
 */
function needsOwnPair(scope: HostScope): boolean {
  return scope.kind !== 'whole_fleet';
}

interface ChosenPair {
  readonly keyPair: NewSshHost['keyPair'];
  readonly publicKey: Uint8Array;
}

async function keyPairOf(isUnique: boolean, services: ApiServices, by: AuditActor): Promise<ChosenPair> {
  if (isUnique) {
    const pair = await newKeyPair(services.settings.sealingPublicKeyFile);
    return { keyPair: { kind: 'own', pair }, publicKey: pair.publicKey };
  }
  const { id, publicKey } = await installationPair(services, by);
  return { keyPair: { kind: 'installation', id }, publicKey };
}
