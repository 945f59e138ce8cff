import { parseHostFilter } from '@plimsoll/contract';
import {
  type BulletinMaker,
  createBulletinMaker,
  createFindingStore,
  type Database,
  hostFiltersNamed,
} from '@plimsoll/db';

/** Makes reports of one database. */
export function openBulletinMaker(db: Database): BulletinMaker {
  return createBulletinMaker(db, {
    findings: createFindingStore(db),
    parseGroup: (filter) => {
      const parsed = parseHostFilter(filter);
      return parsed === null ? null : hostFiltersNamed(parsed);
    },
  });
}
