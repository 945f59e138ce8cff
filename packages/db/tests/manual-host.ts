import type { HostId } from '@plimsoll/model';
import { createHostStore, type Database, newId, systemActor } from '../src/index.ts';

/** Adds a host whose reports are uploaded manually. */
export async function addManualHost(db: Database): Promise<HostId> {
  const id = newId<HostId>();
  await createHostStore(db).create(
    { id, onboardingMode: 'manual', displayName: 'h', hostname: 'h', staleAfterSeconds: 60 },
    systemActor('test'),
  );
  return id;
}
