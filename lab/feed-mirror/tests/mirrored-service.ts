import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  type Client,
  createTestDatabase,
  setUpClient,
  startService,
  type TestDatabase,
  type TestService,
  waitFor,
} from '@plimsoll/testing';
import { type FeedLayout, type FeedMirror, startMirror, type Volume } from '../src/index.ts';

/** A feed as `GET /feeds` shows it. */
export interface ShownFeed {
  readonly id: string;
  readonly state: string;
  readonly records: number;
  readonly import_only: boolean;
  readonly last_sync_at: string | null;
  readonly last_error: string | null;
  readonly last_error_cause: string | null;
  readonly sync: {
    readonly state: string;
    readonly stage: string;
    readonly files_done: number;
    readonly files_total: number | null;
    readonly bytes: number;
    readonly bytes_expected: number | null;
  } | null;
  readonly releases: readonly {
    readonly release: string;
    readonly updated_at: string | null;
    readonly last_error: string | null;
    readonly last_error_cause: string | null;
  }[];
}

/** A service that fetches its feeds from a mirror. */
export interface MirroredService {
  readonly mirror: FeedMirror;
  readonly client: Client;
  readonly service: TestService;
  readonly database: TestDatabase;
  /** Where downloads are kept until they are imported. */
  readonly downloadFolder: string;
  feed(id: string): Promise<ShownFeed>;
  feeds(): Promise<readonly ShownFeed[]>;
  /** Kills the advisory-worker at once, and waits for its end. */
  killWorker(): Promise<void>;
  /** Syncs a feed and waits for the end of the sync. */
  sync(id: string): Promise<ShownFeed>;
  stop(): Promise<void>;
}

/** How the service reaches the mirror: by its base address, or at the public addresses through its proxy. */
export type MirrorWay = 'base_address' | 'public_addresses';

/** Starts a mirror, and a service of processes of their own that trust its certificates. */
export async function startMirroredService(
  way: MirrorWay,
  { layouts, volume }: { readonly layouts: readonly FeedLayout[]; readonly volume: Volume },
): Promise<MirroredService> {
  const folder = await mkdtemp(path.join(tmpdir(), 'plimsoll-mirrored-'));
  const database = await createTestDatabase();
  const mirror = await startMirror({ layouts, volume });
  const authority = path.join(folder, 'authority.pem');
  await writeFile(authority, mirror.authority);
  const service = await startService({
    projectDir: path.resolve(__dirname, '../../..'),
    databaseUrl: database.url,
    queue: { kind: 'postgres' },
    apps: ['api', 'report-worker', 'advisory-worker'],
    env: {
      NODE_EXTRA_CA_CERTS: authority,
      TMPDIR: folder,
      PLIMSOLL_FEEDS_DOWNLOAD_DIR: path.join(folder, 'downloads'),
      ...(way === 'base_address'
        ? { PLIMSOLL_FEEDS_BASE_URL: mirror.baseUrl }
        : { PLIMSOLL_FEEDS_PROXY: mirror.proxyUrl }),
    },
  });
  const client = await setUpClient(service.url);
  const feeds = async () => (await client.get('/feeds')).body as readonly ShownFeed[];
  const feed = async (id: string): Promise<ShownFeed> => {
    const found = (await feeds()).find((each) => each.id === id);
    if (found === undefined) throw new Error(`no feed ${id}`);
    return found;
  };
  await waitFor('the advisory-worker to make the rows of the feeds', async () => (await feeds()).length > 0);
  return {
    mirror,
    client,
    service,
    database,
    downloadFolder: path.join(folder, 'downloads'),
    feed,
    feeds,
    async killWorker() {
      const ended = service.processes('advisory-worker').map((child) => {
        const exit = once(child, 'exit');
        child.kill('SIGKILL');
        return exit;
      });
      await Promise.all(ended);
    },
    async sync(id) {
      const before = (await feed(id)).last_sync_at;
      const isOver = async (): Promise<boolean> => {
        // Repeated, because a request has no effect while the job of an earlier one ends.
        const { status } = await client.send('POST', `/feeds/${id}/sync`, undefined, { prefer: 'wait=5' });
        if (status >= 300) throw new Error(`the sync of ${id} was answered with ${status}`);
        return (await feed(id)).last_sync_at !== before;
      };
      await waitFor(`the sync of ${id} to end`, isOver, { timeoutMs: 120_000 });
      return feed(id);
    },
    async stop() {
      await service.stop();
      await mirror.stop();
      await database.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
