import type { HostOverview } from '@plimsoll/db';
import { AppError, type HostScope } from '@plimsoll/model';
import type { ApiStores } from '../../stores.ts';
import { findHost } from './find-host.ts';

/** Throws `not_found` for a host that does not exist for the caller and `not_an_ssh_host` for a host that is not pulled. */
export async function findSshHost(stores: ApiStores, scope: HostScope, id: string): Promise<HostOverview> {
  const host = await findHost(stores.hosts, scope, id);
  if (host.onboardingMode === 'ssh') return host;
  throw new AppError(
    'not_an_ssh_host',
    'This host is not pulled over SSH. It uses another reporting method.',
  );
}
