import type { IncomingMessage } from 'node:http';
import { databasePerTest, tarOf, zstdOf } from '@plimsoll/testing';
import { contextOf, sync, withMirror } from './worker-under-test.ts';

const feedId = 'redhat-vex';
const folder = '/mirror/redhat/vex/';

const database = databasePerTest();

/** A document about one fixed source of Red Hat Enterprise Linux 9; null: about another product. */
function document(cve: string, release: string | null): string {
  const component = `bash-0:5.1.8-${release}.el9.src`;
  const cpe = release === null ? 'cpe:/a:redhat:openshift:4' : 'cpe:/o:redhat:enterprise_linux:9::baseos';
  return JSON.stringify({
    document: {
      category: 'csaf_vex',
      title: cve,
      tracking: { id: cve, current_release_date: '2026-05-01T00:00:00+00:00' },
    },
    product_tree: {
      branches: [
        { category: 'product_name', product: { product_id: 'p', product_identification_helper: { cpe } } },
        {
          category: 'product_version',
          product: {
            product_id: component,
            product_identification_helper: { purl: `pkg:rpm/redhat/bash@5.1.8-${release}.el9?arch=src` },
          },
        },
      ],
      relationships: [
        {
          full_product_name: { product_id: `p:${component}` },
          product_reference: component,
          relates_to_product_reference: 'p',
        },
      ],
    },
    vulnerabilities: [{ cve, product_status: { fixed: [`p:${component}`] } }],
  });
}

/** Red Hat's folder of VEX documents. */
class VexFolder {
  name = 'vex-archive.tar.zst';
  archive = new Map<string, string>();
  /** Documents besides the archive. */
  readonly documents = new Map<string, string>();
  changes: string | null = '';
  deletions: string | null = '';
  lastModified: string | null = 'Sat, 02 May 2026 00:00:00 GMT';

  pack(records: Readonly<Record<string, string | null>>): void {
    this.archive = new Map(
      Object.entries(records).map(([cve, release]) => [fileOf(cve), document(cve, release)]),
    );
  }

  change(cve: string, content: string | null, at: string): void {
    if (content !== null) this.documents.set(fileOf(cve), content);
    this.changes = `"${fileOf(cve)}","${at}"\n${this.changes ?? ''}`;
  }

  answer(path: string): {
    readonly status: number;
    readonly headers?: Record<string, string>;
    readonly body?: string | Buffer;
  } {
    if (path === 'archive_latest.txt') return { status: 200, body: `${this.name}\n` };
    if (path === 'changes.csv' || path === 'deletions.csv') {
      const body = path === 'changes.csv' ? this.changes : this.deletions;
      return body === null ? { status: 404 } : { status: 200, body };
    }
    if (path === this.name) {
      const entries = [...this.archive].map(([at, content]) => ({ path: at, content }));
      const headers = this.lastModified === null ? {} : { 'last-modified': this.lastModified };
      return { status: 200, headers, body: zstdOf(tarOf(entries)) };
    }
    const found = this.documents.get(path);
    return found === undefined ? { status: 404 } : { status: 200, body: found };
  }
}

function fileOf(cve: string): string {
  return `${cve.slice(4, 8)}/${cve.toLowerCase()}.json`;
}

async function withFolder(vex: VexFolder, work: (mirror: FolderMirror) => Promise<void>): Promise<void> {
  await withMirror(
    (request, response) => {
      const { status, headers = {}, body } = vex.answer((request.url ?? '').replace(folder, ''));
      response.writeHead(status, headers).end(body);
    },
    (url, asked) => work({ context: contextOf(database, url), asked }),
  );
}

interface FolderMirror {
  readonly context: ReturnType<typeof contextOf>;
  readonly asked: readonly IncomingMessage[];
}

/** The stored statements about Red Hat's own release, one row per record. */
async function stored(): Promise<readonly string[]> {
  const rows = await database.db.prisma.advisoryPackage.findMany({
    include: { advisory: true, release: true },
  });
  return rows
    .filter(({ release }) => release.name === 'rhel:9')
    .map(({ advisory, fixedVersion }) => `${advisory.externalId} ${fixedVersion}`)
    .sort();
}

const askedFor = ({ asked }: FolderMirror) => asked.map(({ url }) => (url ?? '').replace(folder, ''));

describe("the sync of Red Hat's VEX", () => {
  it('reads the whole archive, then what changed since it was packed', async () => {
    const vex = new VexFolder();
    vex.pack({ 'CVE-2026-1001': '1', 'CVE-2026-1002': '1', 'CVE-2026-1003': '1', 'CVE-2026-1004': null });
    vex.change('CVE-2026-1001', document('CVE-2026-1001', '2'), '2026-05-03T10:00:00+00:00');
    vex.change('CVE-2026-1002', null, '2026-04-20T10:00:00+00:00');
    vex.deletions = '"2026/cve-2026-1003.json","2026-05-03T11:00:00+00:00"\n';
    await withFolder(vex, async (mirror) => {
      await sync(mirror.context, feedId);
      expect(await mirror.context.feeds.find(feedId)).toMatchObject({
        state: 'ok',
        lastError: null,
        records: 2,
      });
      expect(await stored()).toEqual(['CVE-2026-1001 5.1.8-2.el9', 'CVE-2026-1002 5.1.8-1.el9']);
      expect(askedFor(mirror)).toEqual([
        'archive_latest.txt',
        'vex-archive.tar.zst',
        'changes.csv',
        'deletions.csv',
        '2026/cve-2026-1001.json',
      ]);
    });
  });

  it('reads only what changed afterwards, and removes what is no longer about the distribution', async () => {
    const vex = new VexFolder();
    vex.pack({ 'CVE-2026-1001': '1', 'CVE-2026-1002': '1', 'CVE-2026-1003': '1' });
    await withFolder(vex, async (mirror) => {
      await sync(mirror.context, feedId);
      const before = mirror.asked.length;
      vex.change('CVE-2026-1001', document('CVE-2026-1001', '2'), '2026-05-04T10:00:00+00:00');
      vex.change('CVE-2026-1002', document('CVE-2026-1002', null), '2026-05-04T11:00:00+00:00');
      vex.change('CVE-2026-1005', document('CVE-2026-1005', '5'), '2026-05-04T12:00:00+00:00');
      await sync(mirror.context, feedId);
      expect(await stored()).toEqual([
        'CVE-2026-1001 5.1.8-2.el9',
        'CVE-2026-1003 5.1.8-1.el9',
        'CVE-2026-1005 5.1.8-5.el9',
      ]);
      expect(askedFor(mirror).slice(before)).not.toContain('vex-archive.tar.zst');
      expect(await mirror.context.feeds.find(feedId)).toMatchObject({ state: 'ok', records: 3 });
    });
  });

  it('is content with changes that say nothing of the distribution', async () => {
    const vex = new VexFolder();
    vex.pack({ 'CVE-2026-1001': '1' });
    await withFolder(vex, async (mirror) => {
      await sync(mirror.context, feedId);
      vex.change('CVE-2026-1009', document('CVE-2026-1009', null), '2026-05-04T10:00:00+00:00');
      await sync(mirror.context, feedId);
      expect(await mirror.context.feeds.find(feedId)).toMatchObject({ state: 'ok', lastError: null });
      expect(await stored()).toEqual(['CVE-2026-1001 5.1.8-1.el9']);
    });
  });

  it('keeps the stored record of a changed document that is broken, and reads the others', async () => {
    const vex = new VexFolder();
    vex.pack({ 'CVE-2026-1001': '1', 'CVE-2026-1002': '1' });
    await withFolder(vex, async (mirror) => {
      await sync(mirror.context, feedId);
      vex.change('CVE-2026-1001', '{"document":', '2026-05-04T10:00:00+00:00');
      for (const cve of ['CVE-2026-1002', 'CVE-2026-1003'])
        vex.change(cve, document(cve, '2'), '2026-05-04T10:00:00+00:00');
      await sync(mirror.context, feedId);
      expect(await stored()).toEqual([
        'CVE-2026-1001 5.1.8-1.el9',
        'CVE-2026-1002 5.1.8-2.el9',
        'CVE-2026-1003 5.1.8-2.el9',
      ]);
    });
  });

  it('looks again for a listed document that is not there yet', async () => {
    const vex = new VexFolder();
    vex.pack({ 'CVE-2026-1001': '1' });
    await withFolder(vex, async (mirror) => {
      vex.change('CVE-2026-1002', null, '2026-05-04T10:00:00+00:00');
      vex.change('CVE-2026-1003', document('CVE-2026-1003', '1'), '2026-05-04T12:00:00+00:00');
      await sync(mirror.context, feedId);
      expect(await stored()).toEqual(['CVE-2026-1001 5.1.8-1.el9', 'CVE-2026-1003 5.1.8-1.el9']);
      vex.documents.set(fileOf('CVE-2026-1002'), document('CVE-2026-1002', '1'));
      await sync(mirror.context, feedId);
      expect(await stored()).toContain('CVE-2026-1002 5.1.8-1.el9');
    });
  });

  it.each([
    ['without a list of changes', (vex: VexFolder) => (vex.changes = null)],
    ['without a time of the archive', (vex: VexFolder) => (vex.lastModified = null)],
  ])('reads the archive again when it is another one, %s', async (_what, break_) => {
    const vex = new VexFolder();
    break_(vex);
    vex.pack({ 'CVE-2026-1001': '1', 'CVE-2026-1002': '1' });
    await withFolder(vex, async (mirror) => {
      await sync(mirror.context, feedId);
      vex.pack({ 'CVE-2026-1001': '2' });
      vex.name = 'vex-archive-2.tar.zst';
      await sync(mirror.context, feedId);
      expect(await stored()).toEqual(['CVE-2026-1001 5.1.8-2.el9']);
    });
  });

  it.each([
    ['a login page in place of the changes', (vex: VexFolder) => (vex.changes = '<html>Sign in</html>')],
    [
      'a path out of the folder',
      (vex: VexFolder) => (vex.changes = '"../../x/cve-2026-1.json","2026-05-04T10:00:00Z"'),
    ],
  ])('does not take %s for “no change”, and keeps what is stored', async (_what, break_) => {
    const vex = new VexFolder();
    vex.pack({ 'CVE-2026-1001': '1' });
    await withFolder(vex, async (mirror) => {
      await sync(mirror.context, feedId);
      break_(vex);
      await sync(mirror.context, feedId);
      expect(await mirror.context.feeds.find(feedId)).toMatchObject({
        lastError: expect.stringContaining('lines that do not describe a change'),
      });
      expect(await stored()).toEqual(['CVE-2026-1001 5.1.8-1.el9']);
    });
  });

  it.each(['../secret.tar.zst', 'https://elsewhere.example/x.tar.zst', '<html>', ''])(
    'refuses %j as the name of the archive',
    async (name) => {
      const vex = new VexFolder();
      vex.name = name;
      await withFolder(vex, async (mirror) => {
        await sync(mirror.context, feedId);
        expect(await mirror.context.feeds.find(feedId)).toMatchObject({
          lastError: expect.stringContaining('names no archive of its folder'),
        });
        expect(askedFor(mirror)).toEqual(['archive_latest.txt']);
      });
    },
  );
});
