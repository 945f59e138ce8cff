import type { HostOverview, HostStore } from '@plimsoll/db';
import { AppError } from '@plimsoll/model';

/** The host with an id. Throws `not_found` if it does not exist. */
export async function findHost(hosts: HostStore, id: string): Promise<HostOverview> {
  const host = await hosts.find(id);
  if (host === null) throw hostNotFound();
  return host;
}

/** The error for an unknown host id. */
export function hostNotFound(): AppError {
  return new AppError('not_found', 'No host has this id.');
}
