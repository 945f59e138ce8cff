import { createFeedStore, createFeedSyncStore, newId } from '@plimsoll/db';
import type { HostId } from '@plimsoll/model';
import { databasePerFile } from '@plimsoll/testing';
import { feedLines } from '../src/commands/feed-list-command.ts';

const database = databasePerFile();

const lines = (now = new Date()) => feedLines(database.db, now);

it('reports that no host needs a feed yet', async () => {
  await createFeedStore(database.db).ensure(['debian-osv', 'almalinux-updateinfo']);
  expect(await lines()).toEqual(['No host needs a feed yet, and none has data.']);
});

it("shows age, failure and what to do for each feed that hosts need, in the API's terms", async () => {
  const feeds = createFeedStore(database.db);
  await feeds.ensure(['debian-osv', 'almalinux-osv', 'almalinux-updateinfo']);
  const { prisma } = database.db;
  const { id: releaseId } = await prisma.release.create({
    data: { name: 'almalinux:9', feedId: 'almalinux-osv' },
  });
  await prisma.host.create({
    data: {
      id: newId<HostId>(),
      onboardingMode: 'agent',
      approvalStatus: 'approved',
      displayName: 'web',
      hostname: 'web',
      contact: { create: { lastSeenAt: new Date(), staleAfterSeconds: 3_600 } },
      state: { create: { releaseId } },
    },
  });
  const updatedAt = new Date('2026-08-01T00:00:00Z');
  await prisma.feed.update({ where: { id: 'almalinux-osv' }, data: { updatedAt, records: 7 } });
  const sentence = 'https://osv.example/x was not fetched: the name cannot be resolved.';
  await feeds.fail('almalinux-osv', { cause: 'dns', sentence, retryAfterMs: null });
  const said = await lines(new Date('2026-11-22T00:00:00Z'));
  expect(said[0]).toBe(
    'almalinux-osv: outdated, as of 2026-08-01T00:00:00.000Z, last sync failed; 7 records, needed by 1 host',
  );
  expect(said[1]).toBe(`  ${sentence}`);
  expect(said.join('\n')).toMatch(
    /feeds\.proxy[\s\S]*import it\.[\s\S]*almalinux-updateinfo can cover the same hosts/,
  );
  expect(said.join('\n')).toMatch(/It lists fixes only\./);
  expect(said.join('\n')).not.toMatch(/debian-osv/);
  expect((await lines(new Date('2026-08-02T00:00:00Z')))[0]).toContain('almalinux-osv: current');
});

it('shows a running sync, and does not call one running whose worker is silent', async () => {
  const syncs = createFeedSyncStore(database.db);
  await createFeedStore(database.db).ensure(['epss']);
  await syncs.begin('epss');
  const progress = {
    filesDone: 1,
    filesTotal: 3,
    bytes: 5 * 1024 * 1024,
    bytesExpected: 10 * 1024 * 1024,
    records: 7,
  };
  await syncs.report('epss', { stage: 'downloading', ...progress }, 0);
  const shown = async () => (await lines()).find((line) => line.startsWith('  sync ')) ?? '';
  expect(await shown()).toMatch(
    /^ {2}sync is running, downloading, 1 of 3 files, 5\.0 of 10\.0 MiB, 7 records read, began 2/,
  );
  await database.db.pool.query(`UPDATE feed_syncs SET heartbeat_at = now() - interval '2 minutes'`);
  expect(await shown()).toMatch(
    /^ {2}sync was interrupted while downloading: no report since 2.*, 1 of 3 files/,
  );
  const sentence = 'https://epss.example/x was not fetched: the name cannot be resolved.';
  await createFeedStore(database.db).fail('epss', { cause: 'dns', sentence, retryAfterMs: null });
  expect(await lines()).toContain(`  The previous sync failed: ${sentence}`);
  await syncs.end('epss');
  expect(await shown()).toBe('');
  expect(await lines()).toContain(`  ${sentence}`);
});

it('says how many known errors of a feed are listed, and how many have something to correct', async () => {
  await database.db.pool.query(
    `INSERT INTO feed_overrides (digest, origin, feed_id, release, package, cve, reason, source)
     VALUES ('d', 'project', 'almalinux-osv', 'almalinux:9', 'xz', 'CVE-2024-3094', 'A reason.', 'https://example.org/')`,
  );
  expect((await lines()).join('\n')).toContain(
    '(1 known error of the feed listed, 0 with a stored statement to correct)',
  );
});
