import type { Database } from '../../core/database.ts';
import { type Recount, recountChangedHosts } from '../counting/recount-hosts.ts';
import { createWaiverStore } from '../waivers/waiver-store.ts';

/**
 * As recountChangedHosts, then ends the snoozed waivers of what has a fix now, which is known only then. The scheduler rings the count
 * of the hosts that they concern.
 */
export async function recountAndEndWaivers(db: Database, recount: Recount): Promise<number> {
  const hosts = await recountChangedHosts(db, recount);
  await createWaiverStore(db).endFixed();
  return hosts;
}
