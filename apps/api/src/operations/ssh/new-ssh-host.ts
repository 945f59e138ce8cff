import { type AuditActor, type NewSshHost, newId } from '@plimsoll/db';
import type { HostId, HostScope } from '@plimsoll/model';
import type { ApiServices } from '../../context.ts';
import { staleAfterSeconds } from '../hosts/stale-after.ts';
import type { Handler } from '../operation-request.ts';
import { installationPair } from './installation-pair.ts';
import { newKeyPair } from './new-key-pair.ts';

type Body = Parameters<Handler<'createSshHost'>>[0]['body'];

/** A host to be stored, with the public half of its key pair. */
export interface MadeSshHost {
  readonly newHost: NewSshHost;
  readonly publicKey: Uint8Array;
  /** Whether the pair is the host's own. */
  readonly isUnique: boolean;
}

/** The host of a request, with its key pair. `tags`: those of the request, completed for the caller's scope. */
export async function newSshHost(
  body: Body,
  {
    tags,
    scope,
    by,
  }: { readonly tags: readonly string[]; readonly scope: HostScope; readonly by: AuditActor },
  services: ApiServices,
): Promise<MadeSshHost> {
  const isUnique = body.unique_key_pair || needsOwnPair(scope);
  const { keyPair, publicKey } = await keyPairOf(isUnique, services, by);
  const newHost = {
    id: newId<HostId>(),
    displayName: body.display_name,
    hostname: body.hostname,
    tags,
    exposure: body.exposure,
    staleAfterSeconds: staleAfterSeconds(body.frequency_minutes * 60),
    user: body.ssh_user,
    port: body.port,
    frequencyMinutes: body.frequency_minutes,
    keyPair,
    hostKeyFingerprint: body.host_key_fingerprint ?? null,
  };
  return { newHost, publicKey, isUnique };
}

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
