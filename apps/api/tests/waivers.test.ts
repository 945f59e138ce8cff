import {
  applyOverrides,
  createExposureWalkStore,
  createHostCounter,
  createRoundStore,
  createWaiverStore,
  recountChangedHosts,
} from '@plimsoll/db';
import { applyRulesInBackground } from '@plimsoll/pipeline';
import { createRoundLog } from '@plimsoll/process';
import { testRoles, waitFor } from '@plimsoll/testing';
import { apiPerFile, type EnrolledHost } from './api-under-test.ts';
import { debianPackage, debianRecord, reportingHost } from './debian-fleet.ts';
import { defaultLag, importOsv } from './pipeline.ts';
import { stateDifferences } from './state-differences.ts';
import { createTestLogger } from './test-logger.ts';
import { addUser } from './users.ts';

const cve = 'CVE-2024-0001';
const day = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * day).toISOString();

const packages = [debianPackage('openssh', '1:9.2p1-2'), debianPackage('curl', '7.88-1')] as never;

const api = apiPerFile();
let alpha: EnrolledHost;
let bravo: EnrolledHost;
beforeAll(async () => {
  await importOsv(api.database, [
    debianRecord('DEBIAN-CVE-2024-0001', 'openssh', { fixed: '1:9.2p1-3', urgency: 'high', cves: [cve] }),
    debianRecord('DEBIAN-CVE-2024-0002', 'curl', { urgency: 'low', cves: ['CVE-2024-0002'] }),
  ]);
  alpha = await reportingHost(api, 'alpha', { packages });
  bravo = await reportingHost(api, 'bravo', { packages });
  await api.admin.patch(`/api/v1/hosts/${alpha.id}`, { json: { tags: ['web'] } });
});

const ask = (json: object, token = api.admin.token) =>
  api.post('/api/v1/waivers', {
    token,
    json: { kind: 'risk_accepted', reason: 'not reachable', expires_at: inDays(30), ...json },
  });
const recount = () =>
  recountChangedHosts(api.database.as('advisory-worker'), { counter: createHostCounter() });
const waivedOn = async ({ id }: EnrolledHost) => {
  await recount();
  return (await api.admin.get(`/api/v1/hosts/${id}`)).body.waived_count;
};
const listed = (host: EnrolledHost, query: string) =>
  api.admin.get(`/api/v1/hosts/${host.id}/packages/vulnerable?${query}`);
const endAll = async () => {
  for (const { id } of (await api.admin.get('/api/v1/waivers?state=active')).body)
    await api.admin.delete(`/api/v1/waivers/${id}`);
};
afterEach(endAll);

describe('a waiver', () => {
  it('covers findings on the hosts in scope, which are listed on request with it, and is never deleted', async () => {
    const { status, body } = await ask({ advisories: [cve.toLowerCase()], hosts: [alpha.id] });
    expect([status, body.advisories]).toEqual([201, [cve]]);
    expect(body).toMatchObject({ matched_findings: 1, matched_hosts: 1, ended_at: null });
    expect([await waivedOn(alpha), await waivedOn(bravo)]).toEqual([1, 0]);
    expect((await listed(alpha, '')).body).toEqual([]);
    const [row] = (await listed(alpha, 'include_waived=true')).body;
    const { id, kind, created_by, expires_at } = body;
    const waiver = { id, kind, created_by, expires_at };
    expect(row).toMatchObject({ name: 'openssh', waiver, advisories: [{ waiver }] });
    expect((await listed(bravo, 'include_waived=true')).body[0].waiver).toBeUndefined();
    expect((await api.admin.delete(`/api/v1/waivers/${body.id}`)).status).toBe(204);
    expect(await waivedOn(alpha)).toBe(0);
    const ended = (await api.admin.get('/api/v1/waivers?state=ended')).body;
    expect(ended[0]).toMatchObject({ id: body.id, end_cause: 'user', ended_by: expect.any(String) });
    const late = { token: api.admin.token, json: { expires_at: inDays(9) } };
    expect((await api.patch(`/api/v1/waivers/${body.id}`, late)).status).toBe(409);
  });

  it('counts what it covers apart on the hosts in scope, and equal hosts as before', async () => {
    const countsOf = async ({ id }: EnrolledHost) => {
      await recount();
      const { body } = await api.admin.get(`/api/v1/hosts/${id}`);
      const { important_count, low_count, unfixed_count, waived_count, overall_action } = body;
      return { important_count, low_count, unfixed_count, waived_count, overall_action };
    };
    const before = await countsOf(alpha);
    expect(before).toMatchObject({ important_count: 1, unfixed_count: 1, waived_count: 0 });
    await ask({ advisories: [cve], hosts: [alpha.id] });
    expect(await countsOf(alpha)).toMatchObject({ important_count: 0, unfixed_count: 1, waived_count: 1 });
    expect(await countsOf(bravo)).toEqual(before);
    await endAll();
    await ask({ advisories: [cve], tags: ['eu'] });
    const charlie = await reportingHost(api, 'charlie', { packages });
    const { id } = charlie;
    expect((await countsOf(charlie)).waived_count).toBe(0);
    await api.admin.patch(`/api/v1/hosts/${id}`, { json: { tags: ['web', 'eu'] } });
    expect((await countsOf(charlie)).waived_count).toBe(1);
    await api.admin.patch(`/api/v1/hosts/${id}`, { json: { tags: ['web'] } });
    expect((await countsOf(charlie)).waived_count).toBe(0);
    await ask({ advisories: [cve], all_hosts: true });
    expect((await countsOf(charlie)).waived_count).toBe(1);
    const differences = await stateDifferences(api.database.as('cli'));
    expect(differences.filter(({ what }) => what === 'counts')).toEqual([]);
    expect((await api.admin.delete(`/api/v1/hosts/${id}`)).status).toBe(204);
  });

  it('is in the changes of a host with its cause, and in its past', async () => {
    const before = new Date().toISOString();
    await ask({ advisories: [cve], all_hosts: true });
    const changes = await api.admin.get(`/api/v1/hosts/${alpha.id}/changes?from=${before}`);
    expect(changes.body.closed).toMatchObject([
      { name: 'openssh', advisories: [{ id: `DEBIAN-${cve}`, cause: 'waived' }] },
    ]);
    expect((await listed(alpha, `at=${before}`)).body).toHaveLength(1);
    const during = new Date().toISOString();
    await endAll();
    expect((await listed(alpha, `at=${during}`)).body).toHaveLength(0);
    expect((await listed(alpha, '')).body).toHaveLength(1);
    const back = await api.admin.get(`/api/v1/hosts/${alpha.id}/changes?from=${during}`);
    expect(back.body.opened).toMatchObject([{ advisories: [{ cause: 'waived' }] }]);
  });

  it('does not count as a patch in time to patch: what it covers counts apart, also in stored figures', async () => {
    const walks = createExposureWalkStore(api.database.as('advisory-worker'));
    const times = async () => {
      await walks.walk(new AbortController().signal);
      const { all } = (await api.admin.get('/api/v1/fleet/time-to-patch')).body;
      return { closed: all.closed, open: all.open, unfixed: all.open_without_fix, waived: all.open_waived };
    };
    // A walk lets hosts pass that wait to be counted.
    await recount();
    expect(await times()).toEqual({ closed: 0, open: 2, unfixed: 2, waived: 0 });
    expect(await walks.isDue()).toBe(false);
    await ask({ advisories: [cve], hosts: [alpha.id] });
    await recount();
    expect(await walks.isDue()).toBe(true);
    expect(await times()).toEqual({ closed: 0, open: 1, unfixed: 2, waived: 1 });
    await endAll();
    await recount();
    expect(await times()).toEqual({ closed: 0, open: 2, unfixed: 2, waived: 0 });
  });

  it('ends at its time, and its hosts are counted again', async () => {
    const { body } = await ask({ packages: ['openssh'], tags: ['web'] });
    expect(await waivedOn(alpha)).toBe(1);
    await api.database.db.pool.query(
      "UPDATE waivers SET expires_at = now() - interval '1 second' WHERE id = $1",
      [body.id],
    );
    expect((await listed(alpha, '')).body).toHaveLength(1);
    await api.database.db.pool.query('INSERT INTO recount_pieces (hosts) VALUES (ARRAY[$1::uuid])', [
      alpha.id,
    ]);
    expect(await waivedOn(alpha)).toBe(0);
    expect(await createWaiverStore(api.database.as('scheduler')).endExpired()).toBe(1);
    expect(await waivedOn(alpha)).toBe(0);
    const [ended] = (await api.admin.get('/api/v1/waivers?state=ended')).body;
    expect(ended).toMatchObject({ id: body.id, end_cause: 'expired' });
    expect(Date.parse(ended.ended_at)).toBe(Date.parse(ended.expires_at));
  });

  it('that snoozes until a fix is refused with a fix, and ends when one appears', async () => {
    expect((await ask({ kind: 'snoozed_until_fix', advisories: [cve], all_hosts: true })).status).toBe(409);
    const { body } = await ask({
      kind: 'snoozed_until_fix',
      advisories: ['CVE-2024-0002'],
      all_hosts: true,
    });
    const store = createWaiverStore(api.database.as('advisory-worker'));
    expect([await waivedOn(alpha), await store.endFixed()]).toEqual([1, 0]);
    await importOsv(api.database, [
      debianRecord('DEBIAN-CVE-2024-0001', 'openssh', { fixed: '1:9.2p1-3', urgency: 'high', cves: [cve] }),
      debianRecord('DEBIAN-CVE-2024-0002', 'curl', {
        fixed: '7.88-2',
        urgency: 'low',
        cves: ['CVE-2024-0002'],
      }),
    ]);
    // The import has ended it.
    expect([await waivedOn(alpha), await store.endFixed()]).toEqual([0, 0]);
    const [ended] = (await api.admin.get('/api/v1/waivers?state=ended')).body;
    expect(ended).toMatchObject({ id: body.id, end_cause: 'fix_available' });
  });

  const context = () => ({
    db: api.database.as('advisory-worker'),
    counter: createHostCounter(),
    lag: defaultLag,
    log: createTestLogger().logger,
  });
  const roundLog = () =>
    createRoundLog(createRoundStore(api.database.as('advisory-worker')), createTestLogger().logger);
  it.each([
    [
      'a worker starts',
      async (isEnded: () => Promise<boolean>) => {
        const work = applyRulesInBackground(context(), roundLog());
        await waitFor('the waiver has ended', isEnded).finally(() => work.stop());
      },
    ],
    [
      'a worker starts, although it cannot count the hosts of earlier changes',
      async (isEnded: () => Promise<boolean>) => {
        const { pool } = api.database.db;
        const role = testRoles.apps['advisory-worker'];
        await pool.query(`REVOKE SELECT ON recount_pieces FROM ${role}`);
        const work = applyRulesInBackground(context(), roundLog());
        await waitFor('the waiver has ended', isEnded).finally(() => work.stop());
        await pool.query(`GRANT SELECT ON recount_pieces TO ${role}`);
        const failed = 'SELECT name FROM rounds WHERE error IS NOT NULL';
        expect((await pool.query(failed)).rows).toContainEqual({ name: 'count hosts of earlier changes' });
      },
    ],
    [
      'known feed errors are corrected',
      async () => {
        const { db, counter } = context();
        const correction = {
          feed: 'debian-osv',
          release: 'debian:12',
          package: 'bash',
          cve,
          affectedFrom: '1:9.9',
          affectedBefore: null,
          reason: 'It begins with 9.9.',
          source: 'https://example.org/',
        };
        for (const overrides of [[correction], []])
          await applyOverrides(db, { origin: 'operator', overrides: overrides as never }, counter);
      },
    ],
  ])('that snoozes until a fix and was not ended by its import is ended when %s', async (_when, act) => {
    const importCurl = (fix: { readonly fixed?: string }) =>
      importOsv(api.database, [
        debianRecord('DEBIAN-CVE-2024-0001', 'openssh', { fixed: '1:9.2p1-3', urgency: 'high', cves: [cve] }),
        debianRecord('DEBIAN-CVE-2024-0002', 'curl', { urgency: 'low', cves: ['CVE-2024-0002'], ...fix }),
      ]);
    await importCurl({});
    const { body } = await ask({
      kind: 'snoozed_until_fix',
      advisories: ['CVE-2024-0002'],
      all_hosts: true,
    });
    await importCurl({ fixed: '7.88-2' });
    const { pool } = api.database.db;
    // As if the import had died before.
    await pool.query('UPDATE waivers SET ended_at = NULL, end_cause = NULL WHERE id = $1', [body.id]);
    const isEnded = async () => {
      const { rows } = await pool.query('SELECT FROM waivers WHERE id = $1 AND ended_at IS NOT NULL', [
        body.id,
      ]);
      return rows.length === 1;
    };
    expect(await isEnded()).toBe(false);
    await act(isEnded);
    expect(await isEnded()).toBe(true);
  });
});

describe('lists', () => {
  const listed = async (query: string) =>
    (await api.admin.get(`/api/v1/waivers?${query}`)).body.map(({ id }: { id: string }) => id);

  it('of waivers are filtered by state, kind, scope, host, name and text', async () => {
    const one = (await ask({ advisories: [cve], hosts: [alpha.id] })).body;
    const two = (await ask({ kind: 'mitigated', packages: ['curl'], tags: ['web'] })).body;
    const three = (await ask({ advisories: ['CVE-2024-00012'], all_hosts: true, expires_at: inDays(3) }))
      .body;
    const all = [three.id, two.id, one.id];
    expect(await listed('state=active')).toEqual(all);
    expect(await listed('state=expiring')).toEqual([three.id]);
    expect(await listed('state=active&kind=mitigated')).toEqual([two.id]);
    expect(await listed('state=active&scope=all_hosts')).toEqual([three.id]);
    expect(await listed(`state=active&host=${alpha.id}`)).toEqual(all);
    expect(await listed(`state=active&host=${bravo.id}`)).toEqual([three.id]);
    expect(await listed(`state=active&names=${cve}`)).toEqual([one.id]);
    expect(await listed('state=active&q=CURL')).toEqual([two.id]);
    expect(await listed('state=active&q=%25')).toEqual([]);
    const found = await api.admin.get(`/api/v1/waivers/${two.id}`);
    expect(found.body).toEqual((await api.admin.get('/api/v1/waivers?q=curl')).body[0]);
    const page = await api.admin.get('/api/v1/waivers?state=active&limit=2');
    expect([page.headers['x-total-count'], page.body.length]).toEqual(['3', 2]);
  });

  it('of hosts under an advisory or a CVE mark what is waived, and findings count its hosts apart', async () => {
    const { body } = await ask({ advisories: [cve], hosts: [alpha.id] });
    const { id, kind, created_by, expires_at } = body;
    const waiver = { id, kind, created_by, expires_at };
    await recount();
    const affected = (await api.admin.get(`/api/v1/advisories/DEBIAN-${cve}/hosts`)).body;
    expect(affected.map(({ packages }: { packages: object[] }) => packages)).toMatchObject([
      [{ name: 'openssh', waiver }],
      [expect.not.objectContaining({ waiver: expect.anything() })],
    ]);
    const under = (await api.admin.get(`/api/v1/cves/${cve}/hosts`)).body.hosts;
    expect(under[0]).toMatchObject({ display_name: 'alpha', state: 'affected', waiver });
    expect(under[1]).not.toHaveProperty('waiver');
    const findings = async (query: string) =>
      (await api.admin.get(`/api/v1/findings?advisory=DEBIAN-${cve}&${query}`)).body.map(
        ({ hosts, waived_hosts }: { hosts: number; waived_hosts: number }) => [hosts, waived_hosts],
      );
    expect(await findings('')).toEqual([[1, 0]]);
    expect(await findings('include_waived=true')).toEqual([[2, 1]]);
    expect(await findings('only_waived=true')).toEqual([[1, 1]]);
  });
});

describe('a check of a waiver', () => {
  const check = (json: object) =>
    api.admin.post('/api/v1/waivers', { json: { check_only: true, all_hosts: true, ...json } });

  it('counts what it would concern and creates nothing', async () => {
    const empty = { display_name: 'empty', hostname: 'empty.example.org', tags: ['new'] };
    const manual = await api.admin.post('/api/v1/hosts/manual', { json: empty });
    const risk = { kind: 'risk_accepted' };
    expect(await check({ ...risk, advisories: [cve] })).toMatchObject({
      status: 200,
      body: { matched_findings: 2, matched_hosts: 2, uncounted_hosts: 1, partly_known_hosts: 0 },
    });
    const web = await check({ ...risk, packages: ['openssh'], all_hosts: undefined, tags: ['web'] });
    const known = { matched_findings: 1, matched_hosts: 1, uncounted_hosts: 0, partly_known_hosts: 0 };
    expect(web.body).toEqual(known);
    expect((await check({ kind: 'snoozed_until_fix', advisories: [cve] })).status).toBe(409);
    expect((await api.admin.get('/api/v1/waivers?state=active')).body).toEqual([]);
    await api.admin.delete(`/api/v1/hosts/${manual.body.id}`);
  });

  it('says on how many hosts of its scope it may concern more, because not all findings are known', async () => {
    const { pool } = api.database.db;
    const partly = async (json: object) =>
      (await check({ kind: 'risk_accepted', advisories: [cve], ...json })).body.partly_known_hosts;
    const { body: hosts } = await api.admin.get('/api/v1/hosts');
    const reported = hosts.filter(({ gaps }: { gaps: string[] }) => !gaps.includes('no_report'));
    await pool.query(`UPDATE feeds SET updated_at = updated_at - interval '90 days' WHERE id = 'debian-osv'`);
    const web = reported.filter(({ tags }: { tags: string[] }) => tags.includes('web'));
    expect([reported.length > web.length, web.length > 0]).toEqual([true, true]);
    expect(await partly({})).toBe(reported.length);
    expect(await partly({ all_hosts: undefined, tags: ['web'] })).toBe(web.length);
    expect(await partly({ all_hosts: undefined, hosts: [reported[0].id] })).toBe(1);
    // A host whose findings are not counted yet is not one of those of which some are known.
    const { rows } = await pool.query(
      `UPDATE host_state s SET finding_list_id = NULL FROM host_state old
       WHERE s.host_id = $1 AND old.host_id = s.host_id RETURNING old.finding_list_id AS list`,
      [reported[0].id],
    );
    const { body } = await check({ kind: 'risk_accepted', advisories: [cve] });
    expect(body).toMatchObject({ uncounted_hosts: 1, partly_known_hosts: reported.length - 1 });
    await pool.query('UPDATE host_state SET finding_list_id = $1 WHERE host_id = $2', [
      rows[0].list,
      reported[0].id,
    ]);
    await pool.query(`UPDATE feeds SET updated_at = updated_at + interval '90 days' WHERE id = 'debian-osv'`);
    expect(await partly({})).toBe(0);
  });
});

describe('a request for a waiver', () => {
  it.each([
    ['without what it covers', { all_hosts: true }, '/advisories'],
    ['with advisories and packages', { advisories: [cve], packages: ['a'], all_hosts: true }, '/advisories'],
    ['without hosts', { advisories: [cve] }, '/hosts'],
    ['with tags and the whole fleet', { advisories: [cve], tags: ['web'], all_hosts: true }, '/hosts'],
    ['without a reason', { advisories: [cve], all_hosts: true, reason: ' ' }, '/reason'],
    ['of more than 366 days', { advisories: [cve], all_hosts: true, expires_at: inDays(367) }, '/expires_at'],
    ['in the past', { advisories: [cve], all_hosts: true, expires_at: inDays(-1) }, '/expires_at'],
    [
      'with a script as its ticket',
      { advisories: [cve], all_hosts: true, ticket_url: 'javascript:alert(1)' },
      '/ticket_url',
    ],
    [
      'for a host that does not exist',
      { advisories: [cve], hosts: ['01930000-0000-7000-8000-000000000000'] },
      '/hosts',
    ],
  ])('%s is refused', async (_what, json, pointer) => {
    const { status, body } = await ask(json);
    expect([status, body.errors.map((error: { pointer: string }) => error.pointer)]).toEqual([
      422,
      expect.arrayContaining([pointer]),
    ]);
  });

  it('of a limited operator stays within its tags, and it neither sees nor ends those of others', async () => {
    const { token } = await addUser(api, 'operator', { tags: ['web'] });
    expect((await ask({ advisories: [cve], hosts: [bravo.id] }, token)).status).toBe(422);
    expect((await ask({ advisories: [cve], tags: ['db'] }, token)).status).toBe(422);
    expect((await ask({ advisories: [cve], all_hosts: true }, token)).status).toBe(422);
    expect((await ask({ advisories: [cve], tags: ['web'] }, token)).status).toBe(201);
    const hidden = (await ask({ advisories: [cve], hosts: [bravo.id] })).body.id;
    const both = (await ask({ advisories: [cve], hosts: [alpha.id, bravo.id] })).body.id;
    const seen = (await api.get('/api/v1/waivers?state=active', { token })).body;
    expect(seen.map(({ id }: { id: string }) => id)).not.toContain(hidden);
    const shared = seen.find(({ id }: { id: string }) => id === both);
    expect(shared).toMatchObject({ hosts: [alpha.id], matched_hosts: 1 });
    expect((await api.delete(`/api/v1/waivers/${hidden}`, { token })).status).toBe(404);
    expect((await api.delete(`/api/v1/waivers/${both}`, { token })).status).toBe(403);
  });
});
