import { type FeedOverride, knownFeedErrors } from '@plimsoll/advisories';
import { applyOverrides, createHostCounter, type OverrideList } from '@plimsoll/db';
import type { Release } from '@plimsoll/model';
import { apiPerFile, type EnrolledHost } from './api-under-test.ts';
import { debianPackage, debianRecord, reportingHost } from './debian-fleet.ts';
import { importOsv } from './pipeline.ts';
import { historyDifferences } from './state-differences.ts';

const fixed = '5.6.1+really5.4.5-1';
const cve = 'CVE-2024-3094';
const xzRecord = (id: string, cves: readonly string[], summary = 'a backdoor') =>
  debianRecord(id, 'xz-utils', { fixed, cves, release: '13', cvss: severe, summary });
const severe = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H';
const liblzma = (version: string) =>
  debianPackage('liblzma5', version, { sourceName: 'xz-utils', sourceVersion: version });

const project: OverrideList = { origin: 'project', overrides: knownFeedErrors };
const own = (changes: Partial<FeedOverride> = {}): OverrideList => ({
  origin: 'operator',
  overrides: [
    {
      feed: 'debian-osv',
      release: 'debian:13' as Release,
      package: 'xz-utils',
      cve,
      affectedFrom: null,
      affectedBefore: null,
      reason: 'We build it ourselves.',
      source: 'https://example.org/xz',
      ...changes,
    },
  ],
});

const api = apiPerFile();
let clean: EnrolledHost;
let compromised: EnrolledHost;

beforeAll(async () => {
  await importOsv(api.database, [xzRecord('DEBIAN-CVE-2024-3094', [cve])]);
  const reporting = (name: string, version: string) =>
    reportingHost(api, name, { release: '13', packages: [liblzma(version)] });
  clean = await reporting('clean', '5.4.5-0.1');
  compromised = await reporting('compromised', '5.6.0-0.2');
});
beforeEach(() => apply({ origin: 'project', overrides: [] }));

const apply = (list: OverrideList) =>
  applyOverrides(api.database.as('advisory-worker'), list, createHostCounter());
const get = (path: string) => api.admin.get(`/api/v1${path}`);
const findingsOf = async ({ id }: EnrolledHost) =>
  ((await get(`/hosts/${id}/packages/vulnerable`)).body as { evidence: { notes: object[] } }[]).map(
    ({ evidence }) => evidence.notes,
  );
const critical = async ({ id }: EnrolledHost) => (await get(`/hosts/${id}`)).body.critical_count;
const explain = async ({ id }: EnrolledHost) =>
  (await get(`/hosts/${id}/packages/liblzma5/explain?advisory=${cve}`)).body;
const shown = async () =>
  ((await get('/feeds')).body as { id: string; overrides: object[] }[]).find(({ id }) => id === 'debian-osv')
    ?.overrides;

describe('the known errors of feeds', () => {
  it('are what the feed says as long as no list is in force', async () => {
    expect(await critical(clean)).toBe(1);
    expect(await explain(clean)).toMatchObject({ verdict: 'finding' });
    expect(await shown()).toEqual([]);
  });

  it('end the findings that they are about, and no other', async () => {
    expect(await apply(project)).toEqual({ isChanged: true, versions: 2, hosts: 2 });
    expect([await critical(clean), await findingsOf(clean)]).toEqual([0, []]);
    expect(await critical(compromised)).toBe(1);
    expect(await apply(project)).toEqual({ isChanged: false, versions: 0, hosts: 0 });
  });

  it('are named with reason and source wherever they decide', async () => {
    await apply(project);
    const source = 'https://lists.debian.org/debian-security-announce/2024/msg00057.html';
    expect(await explain(clean)).toMatchObject({
      verdict: 'not_a_finding',
      reason: 'overridden',
      gap: null,
      detail: expect.stringMatching(/is overridden: Debian says that .*Source: https:\/\/lists\.debian\.org/),
      packages: [{ statements: [{ judgement: 'overridden' }] }],
    });
    expect(await explain(compromised)).toMatchObject({
      verdict: 'finding',
      detail: expect.stringContaining(source),
    });
    expect(await findingsOf(compromised)).toEqual([
      expect.arrayContaining([{ code: 'overridden', detail: expect.stringContaining(source) }]),
    ]);
    const { hosts } = (await get(`/cves/${cve}/hosts`)).body;
    expect(hosts).toMatchObject([
      {
        display_name: 'clean',
        state: 'not_affected',
        reason: 'overridden',
        packages: [{ state: 'overridden' }],
      },
      { display_name: 'compromised', state: 'affected', packages: [{ state: 'affected' }] },
    ]);
    expect(await shown()).toEqual([
      {
        release: 'debian:13',
        package: 'xz-utils',
        cve,
        affected_from: '5.5.1alpha-0.1',
        affected_before: fixed,
        reason: expect.stringMatching(/^Debian says/),
        source,
        origin: 'project',
        statements: 1,
      },
    ]);
  });

  it('give way to the list of the operator, and come back without it', async () => {
    await apply(project);
    await apply(own());
    expect([await critical(clean), await critical(compromised)]).toEqual([0, 0]);
    expect(await shown()).toMatchObject([{ origin: 'operator', reason: 'We build it ourselves.' }]);
    await apply({ origin: 'operator', overrides: [] });
    expect([await critical(clean), await critical(compromised)]).toEqual([1, 1]);
  });

  it('apply to later records of the feed, but not to a record of further CVEs', async () => {
    await apply(own());
    const record = xzRecord('DEBIAN-CVE-2024-3094', [cve], 'a backdoor, described anew');
    await importOsv(api.database, [record, xzRecord('DSA-9999-1', [cve])]);
    expect(await shown()).toMatchObject([{ statements: 2 }]);
    expect(await critical(clean)).toBe(0);
    await importOsv(api.database, [record, xzRecord('DSA-9999-1', [cve, 'CVE-2024-9999'])]);
    expect(await shown()).toMatchObject([{ statements: 1 }]);
    expect(await explain(clean)).toMatchObject({ verdict: 'finding', reason: 'finding' });
    await importOsv(api.database, [xzRecord('DEBIAN-CVE-2024-3094', [cve])]);
    expect(await shown()).toMatchObject([{ statements: 1 }]);
    expect(await critical(clean)).toBe(0);
    expect(await historyDifferences(api.database.as('cli'))).toEqual([]);
  });

  it('about another release or package change nothing', async () => {
    await apply(own({ release: 'debian:12' as Release }));
    expect(await critical(clean)).toBe(1);
    await apply(own({ package: 'liblzma5' }));
    expect(await critical(clean)).toBe(1);
    expect(await shown()).toMatchObject([{ statements: 0 }]);
  });

  it('are those of Debian’s tracker, too, which counts in place of OSV', async () => {
    const releases = { trixie: { status: 'resolved', fixed_version: fixed, urgency: 'high' } };
    await importOsv(api.database, [{ package: 'xz-utils', id: cve, issue: { releases } }], 'debian-tracker');
    expect(await explain(clean)).toMatchObject({ verdict: 'finding' });
    await apply(project);
    expect(await explain(clean)).toMatchObject({ verdict: 'not_a_finding', reason: 'overridden' });
    expect(await explain(compromised)).toMatchObject({ verdict: 'finding' });
  });
});
