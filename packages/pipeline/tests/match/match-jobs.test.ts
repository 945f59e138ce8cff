import { createHostCounter, newId } from '@plimsoll/db';
import type { UploadId } from '@plimsoll/model';
import { createLogger } from '@plimsoll/process';
import { databasePerFile } from '@plimsoll/testing';
import { createMatchHandlers } from '../../src/index.ts';

const database = databasePerFile();

/** The uploads that the job of three uploads rings for, at its first attempt and the given start of a worker. */
async function rungBy(starts: number): Promise<{ readonly rung: unknown[]; readonly others: UploadId[] }> {
  const rung: unknown[] = [];
  const bell = { ring: (job: string, payload: object) => void rung.push([job, payload]) };
  const log = createLogger({ app: 'test', level: 'silent' });
  const lag = { defaultDays: 7, exceptions: [] };
  const handlers = createMatchHandlers({ db: database.db, counter: createHostCounter(), lag, log }, bell);
  const others = [newId<UploadId>(), newId<UploadId>()];
  const { signal } = new AbortController();
  const delivery = { signal, attempt: 1, lastAttempt: false, starts };
  await handlers['advisory-match']({ uploadId: newId<UploadId>(), others }, delivery);
  return { rung, others };
}

test('a job of several uploads matches all of them', async () => {
  expect((await rungBy(1)).rung).toEqual([]);
});

test('after the death of its worker, each of its uploads has a job of its own', async () => {
  const { rung, others } = await rungBy(2);
  expect(rung).toEqual(others.map((uploadId) => ['advisory-match', { uploadId }]));
});
