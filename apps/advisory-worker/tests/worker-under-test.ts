import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { feedIds } from '@plimsoll/advisories';
import {
  createFeedStore,
  createFeedSyncStore,
  createHostCounter,
  createImportStore,
  createInterner,
  type ImportRow,
  type ImportStore,
  newId,
  releaseFactsOf,
  systemActor,
} from '@plimsoll/db';
import type { ImportId } from '@plimsoll/model';
import { createFeedAddressPolicy, proxiesOf } from '@plimsoll/outbound';
import { createLogger } from '@plimsoll/process';
import type { TestDatabase } from '@plimsoll/testing';
import { openDownloadFolder } from '../src/feeds/downloads/download-folder.ts';
import type { FeedAccess } from '../src/feeds/feed-access.ts';
import { type FeedRoutes, openConnectionPool } from '../src/feeds/feed-connection.ts';
import { feedMirrorsOf } from '../src/feeds/feed-sources.ts';
import { syncLimits } from '../src/feeds/progress/sync-limits.ts';
import { SyncTracker } from '../src/feeds/progress/sync-tracker.ts';
import { createSyncHandler } from '../src/feeds/sync-handler.ts';
import type { WorkerContext } from '../src/worker-context.ts';

/** The first delivery of a job. */
export const delivery = { signal: new AbortController().signal, attempt: 1, lastAttempt: false, starts: 1 };

/** The worker's context, with the store for files to import that the API uses. */
export interface ContextUnderTest extends WorkerContext {
  readonly given: ImportStore;
}

/** The worker's context on a test database, with its role's rights, fetching from a mirror. */
export function contextOf(database: TestDatabase, baseUrl: string | null): ContextUnderTest {
  const db = database.as('advisory-worker');
  return {
    given: createImportStore(database.as('api')),
    db,
    interner: createInterner(db),
    imports: createImportStore(db),
    feeds: createFeedStore(db),
    counter: createHostCounter(),
    lag: { defaultDays: 7, exceptions: [] },
    addressPolicy: createFeedAddressPolicy([]),
    proxies: proxiesOf(null, {}),
    mirrors: feedMirrorsOf(baseUrl, []),
    enabledFeeds: { kind: 'auto' },
    syncs: createFeedSyncStore(db),
    limits: syncLimits,
    downloadSettings: { folder: path.join(downloads, randomUUID()), reserveBytes: 0 },
    log: createLogger({ app: 'test', level: 'silent' }),
  };
}

const downloads = path.join(tmpdir(), `plimsoll-downloads-${randomUUID()}`);
afterAll(() => rm(downloads, { recursive: true, force: true }));

/** Runs with what the fetches of a sync share, on a temporary folder. */
export function withAccess(
  routes: FeedRoutes,
  work: (access: FeedAccess, folder: string) => Promise<void>,
): Promise<void> {
  return withFolder(async (folder) => {
    const connections = openConnectionPool(routes);
    const kept = await openDownloadFolder({ folder, reserveBytes: 0 }, 'debian-osv');
    try {
      await work({ connections, tracker: new SyncTracker(), downloads: kept }, kept.path);
    } finally {
      await connections.destroy();
    }
  });
}

/** What a mirror gets, and what fetches from it share. */
export interface MirrorAccess {
  readonly url: string;
  readonly asked: readonly IncomingMessage[];
  readonly access: FeedAccess;
  readonly folder: string;
}

/** Runs with a mirror with the given answers, and what the fetches of a sync share, without a proxy. */
export function withAccessTo(answer: Answer, work: (mirror: MirrorAccess) => Promise<void>): Promise<void> {
  const routes = { addressPolicy: createFeedAddressPolicy([]), proxies: proxiesOf(null, {}) };
  return withAccess(routes, (access, folder) =>
    withMirror(answer, (url, asked) => work({ url, asked, access, folder })),
  );
}

/** Runs the sync of a feed to its end; the worker's start notes the feeds. */
export async function sync(context: WorkerContext, feedId: string): Promise<void> {
  await context.feeds.ensure(feedIds);
  await createSyncHandler(context)({ kind: 'sync', feedId }, delivery);
}

/** Runs the import of a file to its end; see `sync`. */
export async function importFile(
  context: ContextUnderTest,
  content: string | Uint8Array,
  options: {
    readonly complete?: boolean;
    readonly format?: string;
    readonly release?: string;
    readonly asOf?: Date;
  } = {},
): Promise<ImportRow | null> {
  const { complete = false, format = 'auto', release = '', asOf = null } = options;
  const id = newId<ImportId>();
  await context.feeds.ensure(feedIds);
  await context.given.create({ id, format, origin: 'upload', complete, release, asOf });
  const bytes = Buffer.from(content);
  await context.given.appendChunk(id, 0, bytes);
  await context.given.seal(id, bytes.length, systemActor('test'));
  await createSyncHandler(context)({ kind: 'import', importId: id }, delivery);
  return context.imports.find(id);
}

/** Imports records, or the text of a file, of which none is rejected. */
export async function bring(
  database: TestDatabase,
  content: string | readonly object[],
  options?: Parameters<typeof importFile>[2],
): Promise<void> {
  const text = typeof content === 'string' ? content : content.map((it) => JSON.stringify(it)).join('\n');
  const imported = await importFile(contextOf(database, null), text, options);
  expect(imported).toMatchObject({ state: 'done', recordsRejected: 0 });
}

/** Notes the release of a host, as a report would. */
export async function noteRelease({ db }: TestDatabase, osId: string, osVersionId: string): Promise<void> {
  const platform = {
    osFamily: 'rpm' as const,
    osId,
    osVersionId,
    osVersion: '',
    osCodename: '',
    osPrettyName: '',
    architecture: 'x86_64',
    hostname: '',
    machineId: '',
    virtualization: '',
    ipAddresses: [],
  };
  const interning = await createInterner(db).begin();
  await interning.release(releaseFactsOf(platform), async () => undefined);
}

/** The answers of a mirror. */
export type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** A mirror with the given answers. */
export async function withMirror(
  answer: Answer,
  work: (url: string, asked: readonly IncomingMessage[]) => Promise<void>,
): Promise<void> {
  const asked: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    asked.push(request);
    answer(request, response);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  try {
    // A listening TCP server has such an address.
    await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mirror`, asked);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => {
      server.close(resolve);
    });
  }
}

/** Runs with a temporary folder. */
export async function withFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'plimsoll-mirror-'));
  try {
    await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
