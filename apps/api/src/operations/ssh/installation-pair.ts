import type { AuditActor, InstallationPair } from '@plimsoll/db';
import type { ApiServices } from '../../context.ts';
import { newKeyPair } from './new-key-pair.ts';

/** The key pair shared by hosts without their own, created on first use; concurrent callers get the same pair. */
export async function installationPair(
  { stores, settings }: ApiServices,
  by: AuditActor,
): Promise<InstallationPair> {
  const found = await stores.sshKeys.installationPair();
  return found ?? stores.sshKeys.createInstallationPair(await newKeyPair(settings.sealingPublicKeyFile), by);
}
