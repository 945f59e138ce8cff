import { staleAfterSecondsOf } from '@plimsoll/advisories';
import { databasePerTest } from '@plimsoll/testing';
import { contextOf, importFile, noteRelease } from './worker-under-test.ts';

const database = databasePerTest();

const dayMs = 86_400_000;
const osv = (id: string, modified: string) =>
  `{"id":"${id}","modified":"${modified}","affected":[{"package":{"ecosystem":"Debian:12","name":"xz"},"ranges":[{"type":"ECOSYSTEM","events":[{"introduced":"0"}]}]}]}`;
const old = '2025-02-18T00:00:00Z';
const rockyErrata = (number: string) =>
  `<updates><update from="a@b" status="final" type="security" version="1"><id>RLSA-2026:${number}</id><title>bash</title><severity>Moderate</severity><issued date="2026-01-01 00:00:00"/><references/><pkglist><collection short="RL${number}"><name>Rocky Linux ${number}</name><package name="bash" version="5.1" release="2.el${number}" epoch="0" arch="x86_64" src="bash-5.1-2.el${number}.src.rpm"><filename>bash-5.1-2.el${number}.x86_64.rpm</filename></package></collection></pkglist></update></updates>`;

async function debian() {
  const context = contextOf(database, null);
  await context.feeds.ensure(['debian-osv']);
  return { context, row: () => context.feeds.find('debian-osv') };
}

describe('a complete import', () => {
  it('is as old as its newest record, or as its sender says', async () => {
    const { context, row } = await debian();
    await importFile(context, osv('CVE-2025-1001', old), { complete: true });
    expect((await row())?.updatedAt).toEqual(new Date(old));
    const asOf = new Date(Date.now() - dayMs);
    // The same records, but another age.
    await importFile(context, osv('CVE-2025-1001', old), { complete: true, asOf });
    expect((await row())?.updatedAt).toEqual(asOf);
  });

  it('of one release leaves the time of the others, until all are complete again', async () => {
    const context = contextOf(database, null);
    const feedId = 'rocky-updateinfo';
    const ages = async () => {
      const feed = await context.feeds.find(feedId);
      return [
        feed?.updatedAt,
        ...(feed?.releases ?? []).map(({ release, updatedAt }) => [release, updatedAt]),
      ];
    };
    const now = Date.now();
    const [older, newer] = [new Date(now - 3 * dayMs), new Date(now - dayMs)];
    const bring = (number: string, asOf: Date) =>
      importFile(context, rockyErrata(number), { release: `rocky:${number}`, complete: true, asOf });
    expect(await bring('8', older)).toMatchObject({ state: 'done', recordsRejected: 0 });
    expect(await ages()).toEqual([older]);
    expect(await bring('9', newer)).toMatchObject({ state: 'done', recordsRejected: 0 });
    expect(await ages()).toEqual([newer, ['rocky:8', older]]);
    await bring('8', newer);
    expect(await ages()).toEqual([newer, ['rocky:8', newer], ['rocky:9', newer]]);
    await context.feeds.confirm({ feedId, files: [], releases: [] });
    expect(await ages()).toHaveLength(1);
  });

  it('is never newer than now', async () => {
    const { context, row } = await debian();
    const asOf = new Date(Date.now() + dayMs);
    await importFile(context, osv('CVE-2025-1001', old), { complete: true, asOf });
    expect((await row())?.updatedAt?.getTime()).toBeLessThanOrEqual(Date.now());
  });

  it('ends the failure of a sync, unlike a part of a feed', async () => {
    const { context, row } = await debian();
    await importFile(context, osv('CVE-2025-1001', old), { complete: true });
    await context.feeds.fail('debian-osv', { cause: 'dns', sentence: 'No name.', retryAfterMs: null });
    await importFile(context, osv('CVE-2025-1002', old));
    expect(await row()).toMatchObject({ state: 'failed', lastErrorCause: 'dns', records: 2 });
    await importFile(context, `${osv('CVE-2025-1001', old)}\n${osv('CVE-2025-1002', old)}`, {
      complete: true,
    });
    expect(await row()).toMatchObject({ state: 'ok', lastErrorCause: null, lastError: null });
  });
});

it('that is partial cannot set the age', async () => {
  const { context, row } = await debian();
  await importFile(context, osv('CVE-2025-1001', old), { asOf: new Date() });
  expect((await row())?.updatedAt).toEqual(new Date(old));
});

it('a threshold is that of the setting', async () => {
  const { context, row } = await debian();
  expect((await row())?.staleAfterSeconds).toBe(3 * 86_400);
  await context.feeds.setThresholds(staleAfterSecondsOf(['3', 'debian-osv=8']));
  expect((await row())?.staleAfterSeconds).toBe(8 * 86_400);
});

describe('a release', () => {
  const listed = async (name: string) =>
    (await database.db.prisma.release.findUnique({ where: { name } }))?.listsUnfixed;
  const errata = rockyErrata('9');
  const unfixed = JSON.stringify({
    name: 'CVE-2026-0001',
    threat_severity: 'Moderate',
    public_date: '2026-01-02T00:00:00Z',
    bugzilla: { description: 'openssl: something' },
    package_state: [
      { cpe: 'cpe:/o:redhat:enterprise_linux:9', fix_state: 'Affected', package_name: 'openssl' },
    ],
  });

  it('of a rebuild lists unfixed advisories once Red Hat’s statements are stored', async () => {
    const context = contextOf(database, null);
    await noteRelease(database, 'rocky', '9.4');
    expect(await importFile(context, errata, { release: 'rocky:9' })).toMatchObject({ state: 'done' });
    expect(await listed('rocky:9')).toBe(false);
    const statements = { format: 'redhat-cve', complete: true } as const;
    expect(await importFile(context, unfixed, statements)).toMatchObject({ state: 'done' });
    // January's statements say nothing about later discoveries.
    expect(await listed('rocky:9')).toBe(false);
    await importFile(context, unfixed, { ...statements, asOf: new Date(Date.now() - dayMs) });
    expect([await listed('rocky:9'), await listed('rhel:9')]).toEqual([true, true]);
    await context.feeds.setThresholds(new Map([['redhat-cve', 3_600]]));
    await context.feeds.noteUnfixedListed();
    expect([await listed('rocky:9'), await listed('rhel:9')]).toEqual([false, false]);
  });

  it('of Debian lists them by its own feed, unless the feed does not know the release', async () => {
    const { context } = await debian();
    await noteRelease(database, 'debian', '13');
    await importFile(context, osv('CVE-2025-1001', old));
    expect([await listed('debian:12'), await listed('debian:13')]).toEqual([true, false]);
  });
});
