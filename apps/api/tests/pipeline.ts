import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { feedIds, feeds, type LagRules } from '@plimsoll/advisories';
import {
  createFeedStore,
  createHostCounter,
  createInterner,
  createParsedUploadStore,
  createUploadAllowances,
  defaultUploadLimits,
  type HostCounter,
} from '@plimsoll/db';
import type { UploadId } from '@plimsoll/model';
import {
  createJudgeHandler,
  createMatchHandlers,
  createReportParser,
  importRecords,
} from '@plimsoll/pipeline';
import type { Bell, Delivery, JobHandler, JobName, Jobs, PayloadOf } from '@plimsoll/queue';
import type { TestDatabase } from '@plimsoll/testing';
import { createTestLogger } from './test-logger.ts';

export const defaultLag: LagRules = { defaultDays: 7, exceptions: [] };
const { logger: log } = createTestLogger();

/**
 * Runs the workers' handlers in this process, with the workers' database roles: parses uploads, and does
 * every job that they ring, matching first. Then judges the copies of repositories that are due.
 */
export async function parseAndMatch(database: TestDatabase, ids: readonly UploadId[]): Promise<void> {
  await createFeedStore(database.as('advisory-worker')).ensure(feedIds);
  return createUploadWork(database)(ids);
}

/** The same work again and again by the same processes, with what they remember; the advisory-worker's start noted the feeds. */
export function createUploadWork(database: TestDatabase): (ids: readonly UploadId[]) => Promise<void> {
  const rung: Rung[] = [];
  const handlers = uploadHandlers(database, collectingBell(rung));
  return (ids) => work(database, ids, { rung, handlers });
}

type Rung = [JobName<Jobs>, UploadPayload];

async function work(
  database: TestDatabase,
  ids: readonly UploadId[],
  { rung, handlers }: { readonly rung: Rung[]; readonly handlers: ReturnType<typeof uploadHandlers> },
): Promise<void> {
  // Of an upload in which everything is known, the API has stored the snapshot already.
  const { rows: parsed } = await database.db.pool.query<{ id: UploadId }>(
    "SELECT id FROM uploads WHERE id = ANY($1::uuid[]) AND state = 'parsed'",
    [ids],
  );
  const [first, ...others] = parsed.map(({ id }) => id);
  const isParsed = new Set(parsed.map(({ id }) => id));
  for (const uploadId of ids) if (!isParsed.has(uploadId)) rung.push(['report-parse', { uploadId }]);
  // As for uploads that the API stored with one statement.
  if (first !== undefined) rung.push(['advisory-match', { uploadId: first, others }]);
  // Jobs that wait together run together, so that they share batches as in a worker.
  while (rung.length > 0) {
    await Promise.all(
      rung.splice(0).map(async ([job, payload]) => {
        const handle = handlers.get(job);
        if (handle === undefined) throw new Error(`no handler of ${job}`);
        await handle(payload, delivery());
      }),
    );
  }
  await judge(database, 'due', defaultLag);
}

/** Parses uploads, and matches none. */
export async function parseOnly(database: TestDatabase, ids: readonly UploadId[]): Promise<void> {
  const parse = uploadHandlers(database, collectingBell([])).get('report-parse');
  for (const uploadId of ids) await parse?.({ uploadId }, delivery());
}

/** Does the work of the job `repository-judge` at a review, with the given settings. */
export async function judgeRepositoriesNow(
  database: TestDatabase,
  lag: LagRules = defaultLag,
): Promise<void> {
  await judge(database, 'review', lag);
}

/** Imports records as the whole of their feeds, or of the feed named, complete until now. */
export async function importOsv(
  database: TestDatabase,
  records: readonly object[],
  feedId: string | null = null,
  counter: HostCounter = createHostCounter(),
): Promise<void> {
  const db = database.as('advisory-worker');
  await createFeedStore(db).ensure(feedIds);
  const folder = await mkdtemp(path.join(tmpdir(), 'plimsoll-records-'));
  try {
    const file = path.join(folder, 'records.json');
    await writeFile(file, JSON.stringify(records));
    const format = feeds.find(({ id }) => id === feedId)?.format ?? null;
    const imported = await importRecords(
      { db, interner: createInterner(db), counter },
      {
        files: [{ path: file, format, release: null }],
        importId: null,
        complete: { releases: null, asOf: new Date() },
        sync: feedId === null ? null : { feedId, files: [], releases: [] },
        signal: new AbortController().signal,
        onProgress: async () => undefined,
      },
    );
    expect(imported).toMatchObject({ recordsRead: records.length, recordsRejected: 0 });
  } finally {
    await rm(folder, { recursive: true });
  }
}

type UploadPayload = PayloadOf<Jobs, 'advisory-match'>;

/** Handlers of all jobs that an upload passes, by job. */
function uploadHandlers(
  database: TestDatabase,
  bell: Bell<Jobs>,
): ReadonlyMap<string, JobHandler<UploadPayload>> {
  const parsing = database.as('report-worker');
  const parser = createReportParser({
    uploads: createParsedUploadStore(parsing),
    interner: createInterner(parsing),
    allowances: createUploadAllowances(parsing, defaultUploadLimits),
    bell,
    log,
  });
  const matching = { db: database.as('advisory-worker'), counter: createHostCounter(), lag: defaultLag, log };
  return new Map(Object.entries({ ...parser, ...createMatchHandlers(matching, bell) }));
}

/** A bell that collects the rings for uploads. */
function collectingBell(rung: Rung[]): Bell<Jobs> {
  const keep = (job: JobName<Jobs>, payload: object) => {
    if ('uploadId' in payload) rung.push([job, payload as UploadPayload]); // The handlers' payloads were checked.
  };
  return {
    ring: keep,
    ringAll: (job, payloads) => {
      for (const payload of payloads) keep(job, payload);
    },
  };
}

async function judge(database: TestDatabase, kind: 'due' | 'review', lag: LagRules): Promise<void> {
  await createJudgeHandler({ db: database.as('advisory-worker'), lag, log })({ kind }, delivery());
}

function delivery(): Delivery {
  return { signal: new AbortController().signal, attempt: 1, lastAttempt: false, starts: 1 };
}
