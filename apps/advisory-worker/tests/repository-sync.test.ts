import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { gzipSync } from 'node:zlib';
import type { Database, FeedRow } from '@plimsoll/db';
import { databasePerTest, zstdOf } from '@plimsoll/testing';
import { contextOf, sync, withMirror } from './worker-under-test.ts';

const feedId = 'oracle-updateinfo';
const root = '/mirror/oracle/8';

const database = databasePerTest();

/** The statements that hosts can match, one row per package that an advisory names. */
async function statements(db: Database): Promise<readonly string[]> {
  const rows = await db.prisma.advisoryPackage.findMany({ include: { advisory: true } });
  return rows
    .map(({ advisory, name, fixedVersion }) => `${advisory.externalId} ${name} ${fixedVersion}`)
    .sort();
}

function update(id: string, name: string, release: string): string {
  return `<update type="security" version="1"><id>${id}</id><title>Important: ${name}</title>
    <updated date="2026-05-21 00:00:00"/><pkglist><collection short="ol8_baseos"><name>Oracle Linux 8</name>
    <package name="${name}" epoch="0" version="1.0" release="${release}.el8" arch="x86_64" src="${name}-1.0-${release}.el8.src.rpm"/>
    </collection></pkglist></update>`;
}

/**
 * Repositories by folder, with the content of their updateinfo; null: without one. Files are named after
 * their content.
 */
class Repositories {
  readonly updates = new Map<string, string | null>();
  broken: string | null = null;
  packedBy: 'gzip' | 'zstd' = 'gzip';
  /** Folders that answer 403. */
  readonly denied = new Set<string>();
  /** The folder whose index has a wrong checksum; null: none. */
  mistaken: string | null = null;

  constructor(folders: Readonly<Record<string, string | null>>) {
    for (const [folder, updates] of Object.entries(folders)) this.updates.set(folder, updates);
  }

  answer(request: IncomingMessage): {
    readonly status: number;
    readonly etag?: string;
    readonly body?: Buffer;
  } {
    const [folder = '', file = ''] = (request.url ?? '').replace(`${root}/`, '').split('/repodata/');
    if (this.denied.has(folder)) return { status: 403 };
    const updates = this.updates.get(folder);
    if (updates === undefined) return { status: 404 };
    const name = `${updates?.length ?? 0}-updateinfo.xml.${this.packedBy === 'gzip' ? 'gz' : 'zst'}`;
    const text = `<updates>${updates}</updates>`;
    const content = this.packedBy === 'gzip' ? gzipSync(text) : zstdOf(text);
    if (file === 'repomd.xml') {
      const place =
        updates === null
          ? ''
          : `<data type="updateinfo"><checksum type="sha256">${this.checksum(folder, content)}</checksum>
             <open-checksum type="sha256">${'0'.repeat(64)}</open-checksum><location href="repodata/${name}"/></data>`;
      return { status: 200, body: Buffer.from(`<repomd>${place}</repomd>`) };
    }
    if (file !== name) return { status: 404 };
    if (request.headers['if-none-match'] === `"${name}"`) return { status: 304 };
    return {
      status: 200,
      etag: `"${name}"`,
      body: this.broken === folder ? content.subarray(0, content.length / 2) : content,
    };
  }

  private checksum(folder: string, content: Buffer): string {
    const said = this.mistaken === folder ? 'another' : content;
    return createHash('sha256').update(said).digest('hex');
  }
}

const baseX86 = 'baseos/latest/x86_64';
const appX86 = 'appstream/x86_64';
const oracle8 = () =>
  new Repositories({
    [baseX86]: update('ELSA-2026-1', 'bash', '1'),
    'baseos/latest/aarch64': '',
    [appX86]: update('ELSA-2026-2', 'perl', '1'),
    'appstream/aarch64': '',
    'UEKR6/x86_64': '',
    'UEKR7/x86_64': '',
    'UEKR7/aarch64': '',
    'codeready/builder/x86_64': update('ELSA-2026-1', 'bash-devel', '1'),
    'codeready/builder/aarch64': null,
  });

/** Runs with the repositories of Oracle Linux, and a fleet with a single Oracle Linux 8 host. */
async function withOracle(
  work: (tools: {
    readonly repositories: Repositories;
    readonly asked: readonly IncomingMessage[];
    readonly run: () => Promise<FeedRow | null>;
  }) => Promise<void>,
): Promise<void> {
  const repositories = oracle8();
  await withMirror(
    (request, response) => {
      const { status, etag, body } = repositories.answer(request);
      response.writeHead(status, etag === undefined ? {} : { etag }).end(body);
    },
    async (url, asked) => {
      const context = contextOf(database, url);
      const feeds = { ...context.feeds, fleetReleases: async () => ['oracle:8' as never] };
      const run = async () => {
        await sync({ ...context, feeds }, feedId);
        return feeds.find(feedId);
      };
      await work({ repositories, asked, run });
    },
  );
}

describe('a feed of several repositories', () => {
  it("combines them for the fleet's releases, and requests nothing else", async () => {
    await withOracle(async ({ asked, run }) => {
      expect(await run()).toMatchObject({ state: 'ok', records: 2, lastError: null });
      expect(await statements(database.db)).toEqual([
        'ELSA-2026-1 bash 1.0-1.el8',
        'ELSA-2026-1 bash-devel 1.0-1.el8',
        'ELSA-2026-2 perl 1.0-1.el8',
      ]);
      expect(asked.filter(({ url: path }) => !path?.startsWith(`${root}/`))).toEqual([]);
    });
  });

  it('is also read from repositories packed by zstd', async () => {
    await withOracle(async ({ repositories, run }) => {
      repositories.packedBy = 'zstd';
      expect(await run()).toMatchObject({ state: 'ok', records: 2, lastError: null });
      expect(await statements(database.db)).toHaveLength(3);
    });
  });

  it("keeps the stored data if a file differs from its index's checksum", async () => {
    await withOracle(async ({ repositories, run }) => {
      await run();
      repositories.updates.set(baseX86, update('ELSA-2026-1', 'bash', '20'));
      repositories.mistaken = baseX86;
      expect(await run()).toMatchObject({
        state: 'failed',
        lastError: expect.stringContaining('is not the file'),
      });
      expect((await statements(database.db))[0]).toBe('ELSA-2026-1 bash 1.0-1.el8');
    });
  });

  it('only checks for changes if no file changed', async () => {
    await withOracle(async ({ asked, run }) => {
      await run();
      const before = asked.length;
      expect(await run()).toMatchObject({ state: 'ok', records: 2 });
      const again = asked.slice(before).filter(({ url: path }) => path?.endsWith('.gz'));
      expect(again.length).toBeGreaterThan(0);
      expect(again.every(({ headers }) => headers['if-none-match'] !== undefined)).toBe(true);
    });
  });

  it("imports one's changes and keeps the records of the others", async () => {
    await withOracle(async ({ repositories, run }) => {
      await run();
      repositories.updates.set(baseX86, update('ELSA-2026-1', 'bash', '20'));
      await run();
      expect(await statements(database.db)).toEqual([
        'ELSA-2026-1 bash 1.0-20.el8',
        'ELSA-2026-1 bash-devel 1.0-1.el8',
        'ELSA-2026-2 perl 1.0-1.el8',
      ]);
    });
  });

  it('keeps the stored data and says why if one is cut off, even if another changed', async () => {
    await withOracle(async ({ repositories, run }) => {
      await run();
      const before = await statements(database.db);
      repositories.updates.set(baseX86, update('ELSA-2026-1', 'bash', '20'));
      repositories.updates.set(appX86, update('ELSA-2026-2', 'perl', '300'));
      repositories.broken = appX86;
      expect(await run()).toMatchObject({
        state: 'failed',
        records: 2,
        lastError: expect.stringMatching(/damaged|cut off|is not the file/),
      });
      expect(await statements(database.db)).toEqual(before);
      repositories.broken = null;
      expect(await run()).toMatchObject({ state: 'ok', lastError: null });
      expect(await statements(database.db)).toContain('ELSA-2026-2 perl 1.0-300.el8');
    });
  });

  it('fails if a required repository is missing', async () => {
    await withOracle(async ({ repositories, run }) => {
      repositories.updates.delete(appX86);
      expect(await run()).toMatchObject({ state: 'failed', records: 0 });
      expect(await statements(database.db)).toEqual([]);
    });
  });

  it('continues without a repository that never existed, missing or denied', async () => {
    await withOracle(async ({ repositories, run }) => {
      repositories.updates.delete('codeready/builder/aarch64');
      repositories.denied.add('codeready/builder/x86_64');
      expect(await run()).toMatchObject({ state: 'ok', records: 2 });
    });
  });

  it('keeps the stored data if a repository with earlier records is denied', async () => {
    await withOracle(async ({ repositories, run }) => {
      await run();
      const before = await statements(database.db);
      repositories.denied.add('codeready/builder/x86_64');
      expect(await run()).toMatchObject({ state: 'failed', lastError: expect.stringContaining('403') });
      expect(await statements(database.db)).toEqual(before);
    });
  });

  it('loses the records of a repository that removes its updateinfo', async () => {
    await withOracle(async ({ repositories, run }) => {
      await run();
      repositories.updates.set('codeready/builder/x86_64', null);
      await run();
      expect(await statements(database.db)).toEqual([
        'ELSA-2026-1 bash 1.0-1.el8',
        'ELSA-2026-2 perl 1.0-1.el8',
      ]);
    });
  });
});
