import type { HostId } from '@plimsoll/model';
import { databasePerTest, type TestDatabase } from '@plimsoll/testing';
import { newId } from '../src/index.ts';
import { createHostHistory } from '../src/judging/assessments/host-history.ts';
import { knowledgeMemories } from '../src/knowledge/knowledge-memory.ts';

const database = databasePerTest();

const yesterday = new Date(Date.now() - 24 * 60 * 60 * 1_000);

/** The pool of the API, which moves the start of the history just before a host's snapshot is read. */
function poolThatDropsMeanwhile(): TestDatabase['db']['pool'] {
  const { pool } = database.as('api');
  return new Proxy(pool, {
    get(target, property) {
      if (property !== 'query') return Reflect.get(target, property, target) as unknown;
      return async (...of: [{ readonly text: string }]) => {
        if (of[0].text.includes('FROM snapshots s'))
          await database.db.pool.query('UPDATE history_bounds SET starts_at = now()');
        return target.query(...of);
      };
    },
  });
}

it('answers nothing about a time of which rows may have been deleted while they were read', async () => {
  const memories = knowledgeMemories(database.as('api').pool);
  const choice = { kind: 'at', at: yesterday } as const;
  const undisturbed = createHostHistory({ pool: database.as('api').pool }, memories);
  expect(await undisturbed.find(newId<HostId>(), choice, 'then')).toBeNull();
  const history = createHostHistory({ pool: poolThatDropsMeanwhile() }, memories);
  await expect(history.find(newId<HostId>(), choice, 'then')).rejects.toMatchObject({ code: 'no_snapshot' });
});
