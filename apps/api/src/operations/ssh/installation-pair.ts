import type { AuditActor, InstallationPair } from '@plimsoll/db';
import type { ApiServices } from '../../context.ts';
import { newKeyPair } from './new-key-pair.ts';

/** The pair that hosts without one of their own share, made when it is first asked for; two at once get the same. */
export async function installationPair(
  { stores, settings }: ApiServices,
  by: AuditActor,
): Promise<InstallationPair> {
  const found = await stores.sshKeys.installationPair();
  return found ?? stores.sshKeys.createInstallationPair(await newKeyPair(settings.sealingPublicKeyFile), by);
}
