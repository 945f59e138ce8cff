import type { HostOverview, HostStore } from '@plimsoll/db';
import { AppError } from '@plimsoll/model';

/** The host of an id. Throws `not_found` where there is none. */
export async function findHost(hosts: HostStore, id: string): Promise<HostOverview> {
  const host = await hosts.find(id);
  if (host === null) throw hostNotFound();
  return host;
}

/** The error for an id that names no host. */
export function hostNotFound(): AppError {
  return new AppError('not_found', 'No host has this id.');
}
