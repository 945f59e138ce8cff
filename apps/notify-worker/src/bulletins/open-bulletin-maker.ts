import { parseHostFilter } from '@plimsoll/contract';
import {
  type BulletinMaker,
  createBulletinMaker,
  createFindingStore,
  createHostMemory,
  type Database,
  hostFiltersNamed,
} from '@plimsoll/db';

/** Makes reports of one database. Loads the hosts into memory with the first one. */
export function openBulletinMaker(db: Database): BulletinMaker {
  let maker: BulletinMaker | null = null;
  return {
    make(id, viewer) {
      maker ??= open(db);
      return maker.make(id, viewer);
    },
  };
}

function open(db: Database): BulletinMaker {
  const memory = createHostMemory(db);
  return createBulletinMaker(db, {
    memory,
    findings: createFindingStore(db, memory),
    parseGroup: (filter) => {
      const parsed = parseHostFilter(filter);
      return parsed === null ? null : hostFiltersNamed(parsed);
    },
  });
}
