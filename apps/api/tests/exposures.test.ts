import { ageHistory } from '@plimsoll/testing';
import { apiPerTest, type EnrolledHost, enrol } from './api-under-test.ts';
import { readPages, totalsOf } from './checked-client.ts';
import {
  debianOffer,
  debianRecord,
  opensshHost,
  reportAgain,
  reportingHost,
  toRestart,
} from './debian-fleet.ts';
import { importOsv } from './pipeline.ts';

const api = apiPerTest();
const openssh = (fixed: string | undefined, more: object = {}) =>
  debianRecord('DEBIAN-CVE-2024-0001', 'openssh', {
    ...(fixed === undefined ? {} : { fixed }),
    cves: ['CVE-2024-0001'],
    urgency: 'high',
    ...more,
  });

const offer = (to: string, more: object = {}) => ({
  upgradable: [debianOffer('openssh', more, '1:9.2p1-2', to)],
});

interface Exposure {
  readonly [field: string]: unknown;
  readonly from: string;
  readonly until: string | null;
}

async function exposures({ id }: EnrolledHost, query = ''): Promise<readonly Exposure[]> {
  const { status, body } = await api.admin.get(`/api/v1/hosts/${id}/exposures${query}`);
  expect(status).toBe(200);
  return body as readonly Exposure[];
}

/** When the snapshots of a host were received, oldest first. */
async function reports({ id }: EnrolledHost): Promise<string[]> {
  const rows = await api.database.db.prisma.snapshot.findMany({
    where: { hostId: id },
    orderBy: { sequence: 'asc' },
  });
  return rows.map(({ receivedAt }) => receivedAt.toISOString());
}

/** When knowledge changed, oldest first. */
async function changes(): Promise<string[]> {
  const rows = await api.database.db.prisma.knowledgeChange.findMany({ orderBy: { id: 'asc' } });
  return rows.map(({ at }) => at.toISOString());
}

const age = (days: number) => ageHistory(api.database.db.pool, days);

it('answers from when to when a package was affected, and when the fix came, was installed and ran', async () => {
  const host = await reportingHost(api, 'alpha', opensshHost('1:9.2p1-2'));
  await age(1);
  await importOsv(api.database, [openssh(undefined)]);
  await age(1);
  await importOsv(api.database, [openssh('1:9.2p1-3')]);
  await reportAgain(api, host, 'alpha', opensshHost('1:9.2p1-2', offer('1:9.2p1-2+deb12u1')));
  await age(1);
  await reportAgain(api, host, 'alpha', opensshHost('1:9.2p1-2', offer('1:9.2p1-3')));
  await age(1);
  await reportAgain(api, host, 'alpha', opensshHost('1:9.2p1-3', toRestart('ssh.service')));
  await age(1);
  await reportAgain(api, host, 'alpha', opensshHost('1:9.2p1-3', toRestart()));
  const [published] = await changes();
  const received = await reports(host);
  expect(await exposures(host)).toEqual([
    {
      host_id: host.id,
      package: 'openssh',
      advisory_id: 'DEBIAN-CVE-2024-0001',
      cves: ['CVE-2024-0001'],
      severity: 'important',
      from: published,
      from_cause: 'advisory_published',
      until: received[3],
      until_cause: 'package_changed',
      published_at: '2024-07-01T13:15:06.000Z',
      known_at: published,
      offered_at: received[2],
      installed_at: received[3],
      running_at: received[4],
    },
  ]);
});

it('filters and pages', async () => {
  const records = [1, 2, 3].map((n) =>
    debianRecord(`DEBIAN-CVE-2024-000${n}`, 'openssh', { fixed: `1:9.2p1-${n}`, urgency: 'high' }),
  );
  const hidden = debianRecord('DEBIAN-CVE-2024-0009', 'openssh', {
    fixed: '1:9.2p1-3',
    urgency: 'unimportant',
  });
  await importOsv(api.database, [...records, hidden]);
  const host = await reportingHost(api, 'alpha', opensshHost('1:9.2p1-0'));
  await age(2);
  await reportAgain(api, host, 'alpha', opensshHost('1:9.2p1-1'));
  await age(2);
  await reportAgain(api, host, 'alpha', opensshHost('1:9.2p1-2'));
  const ids = async (query: string) =>
    (await exposures(host, query)).map(({ advisory_id }) => String(advisory_id).at(-1)).sort();
  expect(await ids('')).toEqual(['1', '2', '3']);
  expect(await ids('?open=true')).toEqual(['3']);
  expect(await ids('?open=false')).toEqual(['1', '2']);
  expect(await ids('?severity=none')).toEqual(['9']);
  expect(await ids('?severity=critical')).toEqual([]);
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
  expect(await ids(`?from=${daysAgo(1)}`)).toEqual(['2', '3']);
  expect(await ids(`?to=${daysAgo(5)}`)).toEqual([]);
  const path = `/api/v1/hosts/${host.id}/exposures`;
  expect((await api.admin.get(`${path}?from=${daysAgo(1)}&to=${daysAgo(2)}`)).status).toBe(422);
  const pages = await readPages(api.admin, `${path}?limit=2`);
  expect(totalsOf(pages)).toEqual(['3']);
  for (const { headers } of pages) expect(headers['plimsoll-gaps']).toContain('package_lists_unknown');
  const seen = pages.flatMap(({ body }) => body.map(({ advisory_id }: Exposure) => advisory_id));
  expect(new Set(seen).size).toBe(3);
  expect(seen).toHaveLength(3);
});

it('answers nothing, with the gap, of a host that never reported', async () => {
  const host = await enrol(api, { hostname: 'silent', autoApprove: true });
  const { body, headers } = await api.admin.get(`/api/v1/hosts/${host.id}/exposures`);
  expect(body).toEqual([]);
  expect(headers['plimsoll-gaps']).toContain('no_report');
});

describe('GET /cves/{id}/exposures', () => {
  const ofCve = async (query = '', cve = 'CVE-2024-0001') => {
    const { status, body, headers } = await api.admin.get(`/api/v1/cves/${cve}/exposures${query}`);
    expect(status).toBe(200);
    return { body: body as readonly Exposure[], headers };
  };

  it('has the exposures of all approved hosts to a CVE, page by page', async () => {
    await importOsv(api.database, [
      openssh('1:9.2p1-3'),
      debianRecord('DEBIAN-CVE-2024-0005', 'openssh', { fixed: '1:9.2p1-3', cves: ['CVE-2024-0005'] }),
    ]);
    const [alpha, beta] = [
      await reportingHost(api, 'alpha', opensshHost('1:9.2p1-1')),
      await reportingHost(api, 'beta', opensshHost('1:9.2p1-2', offer('1:9.2p1-3'))),
    ];
    await reportingHost(api, 'gamma', opensshHost('1:9.2p1-3'));
    const pending = await enrol(api, { hostname: 'pending', autoApprove: false });
    await age(1);
    await reportAgain(api, alpha, 'alpha', opensshHost('1:9.2p1-2'));
    await age(1);
    await reportAgain(api, alpha, 'alpha', opensshHost('1:9.2p1-3'));
    await age(1);
    await reportAgain(api, alpha, 'alpha', opensshHost('1:9.2p1-1'));
    const wanted = [...(await exposures(alpha)), ...(await exposures(beta))].filter(
      ({ advisory_id }) => advisory_id === 'DEBIAN-CVE-2024-0001',
    );
    expect(wanted).toHaveLength(3);
    const { body, headers } = await ofCve();
    expect(new Set(body)).toEqual(new Set(wanted));
    expect(body.map(({ host_id }) => host_id)).not.toContain(pending.id);
    expect(headers['x-total-count']).toBe('3');
    expect(headers['plimsoll-unknown-hosts']).toBe('0');
    const froms = body.map(({ from }) => Date.parse(from));
    expect(froms).toEqual(froms.toSorted((a, b) => b - a));
    expect((await ofCve('?open=false')).body).toEqual(body.filter(({ until }) => until !== null));
    expect((await ofCve('?severity=critical')).headers['x-total-count']).toBe('0');
    const pages = await readPages(api.admin, '/api/v1/cves/cve-2024-0001/exposures?limit=1');
    expect(totalsOf(pages)).toEqual(['3']);
    expect(pages.flatMap((page) => page.body)).toEqual(body);
  });

  it('says of how many hosts nothing is known', async () => {
    await enrol(api, { hostname: 'silent', autoApprove: true });
    const { body, headers } = await ofCve('', 'CVE-2024-9999');
    expect(body).toEqual([]);
    expect(headers['plimsoll-unknown-hosts']).toBe('1');
  });

  it('refuses a period that ends before it begins', async () => {
    const period = 'from=2026-02-01T00:00:00Z&to=2026-01-01T00:00:00Z';
    expect((await api.admin.get(`/api/v1/cves/CVE-2024-0001/exposures?${period}`)).status).toBe(422);
  });
});
