import {
  applyCurrentRules,
  createExposureWalkStore,
  createHostCounter,
  type HostCounter,
  recountChangedHosts,
} from '@plimsoll/db';
import { apiPerTest, type EnrolledHost } from './api-under-test.ts';
import {
  debianKernel,
  debianPackage,
  debianRecord,
  type HostFacts,
  reportAgain,
  reportingHost,
  runs,
} from './debian-fleet.ts';
import { decodeIds } from './history/stored-history.ts';
import { importOsv } from './pipeline.ts';

const api = apiPerTest();
const openssh = (fixed: string, more: object = {}) =>
  debianRecord('DEBIAN-CVE-2024-0001', 'openssh', { fixed, cves: ['CVE-2024-0001'], ...more });
const curl = (fixed: string) => debianRecord('DEBIAN-CVE-2024-0002', 'curl', { fixed });
const linux = (id: string, fixed: string) => debianRecord(id, 'linux', { fixed });

const packages = (...list: readonly (readonly [string, string])[]) =>
  ({ packages: list.map(([name, version]) => debianPackage(name, version)) }) as HostFacts;

/** The entries of all changes: `event record cause hosts`, in the order of the changes. */
async function entries(): Promise<string[]> {
  const { rows } = await api.database.db.pool.query<{ line: string }>(
    `SELECT concat_ws(' ', e.event, a.external_id, e.cause, coalesce(e.hosts::text, 'not counted')) AS line
     FROM knowledge_change_entries e JOIN advisories a ON a.id = e.advisory_id ORDER BY e.change_id, line`,
  );
  return rows.map(({ line }) => line);
}

/** The ledger of a host, oldest first: `first? +opened -closed`, with the numbers of the records. */
async function hostLedger({ id }: EnrolledHost): Promise<string[]> {
  const { prisma } = api.database.db;
  const records = await prisma.advisory.findMany();
  const name = (key: number) => records.find((record) => record.id === key)?.externalId.slice(-1) ?? '?';
  const rows = await prisma.hostChange.findMany({ where: { hostId: id }, orderBy: { sequence: 'asc' } });
  return rows.map(({ isFirst, opened, closed }) =>
    [
      ...(isFirst ? ['first'] : []),
      ...decodeIds(opened).map((key) => `+${name(key)}`),
      ...decodeIds(closed).map((key) => `-${name(key)}`),
    ].join(' '),
  );
}

/** Makes a package look as rules left it that could not compare it. */
async function forget(name: string): Promise<void> {
  await api.database.db.pool.query(
    `UPDATE package_versions SET match_name = NULL, match_key = NULL, rules = 1, verdict = jsonb_build_object(
       'kind', 'unknown', 'reason', 'unparseable_version', 'detail', '', 'kernel', verdict -> 'kernel')
     WHERE name = $1`,
    [name],
  );
}

/** The kernels that the ledger of the only host has, in order. */
async function bootedKernels(): Promise<string[]> {
  const { rows } = await api.database.db.pool.query<{ name: string }>(
    'SELECT v.name FROM host_changes c LEFT JOIN package_versions v ON v.id = c.booted_kernel_id ORDER BY c.sequence',
  );
  return rows.map(({ name }) => name);
}

describe('the ledger of a change', () => {
  it('counts each host once, and only where the change took effect', async () => {
    await reportingHost(api, 'alpha', packages(['openssh', '1:9.2p1-2'], ['curl', '7.88-1']));
    await reportingHost(api, 'bravo', {
      packages: [
        debianPackage('openssh', '1:9.2p1-1'),
        debianPackage('openssh-client', '1:9.2p1-1', { sourceName: 'openssh' }),
      ] as never,
    });
    await reportingHost(api, 'charlie', packages(['openssh', '1:9.2p1-9']));
    await reportingHost(api, 'delta', {
      autoApprove: false,
      ...packages(['openssh', '1:9.2p1-1']),
    });
    await importOsv(api.database, [openssh('1:9.2p1-3'), curl('7.88-2')]);
    await importOsv(api.database, [openssh('1:9.2p1-2', { urgency: 'high' }), curl('7.88-2')]);
    await importOsv(api.database, [{ cveID: 'CVE-2024-0001', dateAdded: '2024-01-02' }], 'cisa-kev');
    expect(await entries()).toEqual([
      'opened DEBIAN-CVE-2024-0001 advisory_published 2',
      'opened DEBIAN-CVE-2024-0002 advisory_published 1',
      'closed DEBIAN-CVE-2024-0001 advisory_changed 1',
      'exploited DEBIAN-CVE-2024-0001 source_changed 1',
    ]);
  });

  it('counts kernels where they run, installed or not', async () => {
    const old = debianKernel('6.1.0-28-amd64', '6.1.119-1');
    const current = debianKernel('6.1.0-29-amd64', '6.1.123-1');
    const both = { packages: [old, current] as never };
    await reportingHost(api, 'alpha', { ...both, ...runs('6.1.0-28-amd64', '6.1.119-1') });
    await reportingHost(api, 'bravo', { ...both, ...runs('6.1.0-29-amd64', '6.1.123-1') });
    await reportingHost(api, 'charlie', {
      packages: [current] as never,
      ...runs('6.1.0-28-amd64', '6.1.119-1'),
    });
    await importOsv(api.database, [linux('DEBIAN-CVE-2024-0003', '6.1.120-1')]);
    await importOsv(api.database, [
      linux('DEBIAN-CVE-2024-0003', '6.1.120-1'),
      linux('DEBIAN-CVE-2024-0004', '6.1.130-1'),
    ]);
    expect(await entries()).toEqual([
      'opened DEBIAN-CVE-2024-0003 advisory_published 2',
      'opened DEBIAN-CVE-2024-0004 advisory_published 3',
    ]);
  });

  it('says that hosts are not counted until they are', async () => {
    await reportingHost(api, 'alpha', packages(['openssh', '1:9.2p1-2']));
    const dying: HostCounter = { count: () => Promise.reject(new Error('killed')) };
    await expect(importOsv(api.database, [openssh('1:9.2p1-3')], null, dying)).rejects.toThrow('killed');
    expect(await entries()).toEqual(['opened DEBIAN-CVE-2024-0001 advisory_published not counted']);
    await recountChangedHosts(api.database.as('advisory-worker'), { counter: createHostCounter() });
    expect(await entries()).toEqual(['opened DEBIAN-CVE-2024-0001 advisory_published 1']);
  });
});

describe('the ledger of a host', () => {
  beforeEach(() =>
    importOsv(api.database, [
      openssh('1:9.2p1-3'),
      curl('7.88-2'),
      linux('DEBIAN-CVE-2024-0003', '6.1.120-1'),
      linux('DEBIAN-CVE-2024-0004', '6.1.130-1'),
    ]),
  );

  it('has what each snapshot opened and closed, and no row without an effect', async () => {
    const host = await reportingHost(api, 'alpha', packages(['openssh', '1:9.2p1-2'], ['vim', '9-1']));
    await reportAgain(api, host, 'alpha', packages(['openssh', '1:9.2p1-2'], ['vim', '9-2']));
    await reportAgain(api, host, 'alpha', packages(['openssh', '1:9.2p1-1'], ['curl', '7.88-1']));
    await reportAgain(api, host, 'alpha', packages(['openssh', '1:9.2p1-3'], ['curl', '7.88-1']));
    await reportAgain(api, host, 'alpha', packages(['openssh', '1:9.2p1-3']));
    expect(await hostLedger(host)).toEqual(['first +1', '+2', '-1', '-2']);
  });

  it('closes an advisory with the last package that has it', async () => {
    const client = (version: string) => debianPackage('openssh-client', version, { sourceName: 'openssh' });
    const report = (server: string, other: string) =>
      ({ packages: [debianPackage('openssh', server), client(other)] }) as never;
    const host = await reportingHost(api, 'alpha', report('1:9.2p1-2', '1:9.2p1-2'));
    await reportAgain(api, host, 'alpha', report('1:9.2p1-3', '1:9.2p1-2'));
    await reportAgain(api, host, 'alpha', report('1:9.2p1-3', '1:9.2p1-3'));
    await reportAgain(api, host, 'alpha', report('1:9.2p1-3', '1:9.2p1-2'));
    await reportAgain(api, host, 'alpha', report('1:9.2p1-2', '1:9.2p1-2'));
    expect(await hostLedger(host)).toEqual(['first +1', '-1', '+1']);
  });

  it('follows the booted kernel, and notes which one it is', async () => {
    const old = debianKernel('6.1.0-28-amd64', '6.1.119-1');
    const current = debianKernel('6.1.0-29-amd64', '6.1.123-1');
    const running = (release: string, version: string, ...installed: object[]) =>
      ({ packages: installed, ...runs(release, version) }) as never;
    const first = running('6.1.0-28-amd64', '6.1.119-1', old);
    const host = await reportingHost(api, 'alpha', first);
    await reportAgain(api, host, 'alpha', running('6.1.0-28-amd64', '6.1.119-1', old, current));
    await reportAgain(api, host, 'alpha', running('6.1.0-29-amd64', '6.1.123-1', old, current));
    await reportAgain(api, host, 'alpha', running('6.1.0-29-amd64', '6.1.123-1', current));
    expect(await hostLedger(host)).toEqual(['first +3 +4', '-3']);
    expect(await bootedKernels()).toEqual(['linux-image-6.1.0-28-amd64', 'linux-image-6.1.0-29-amd64']);
  });

  it('notes the booted kernel also while the rules cannot judge it', async () => {
    const [old, current, next] = ['28', '29', '30'].map((abi) =>
      debianKernel(`6.1.0-${abi}-amd64`, `6.1.${Number(abi) + 94}-1`),
    );
    const running = (abi: string) =>
      ({
        packages: [old, current, next],
        ...runs(`6.1.0-${abi}-amd64`, `6.1.${Number(abi) + 94}-1`),
      }) as never;
    const host = await reportingHost(api, 'alpha', running('28'));
    await forget('linux-image-6.1.0-29-amd64');
    await reportAgain(api, host, 'alpha', running('29'));
    await reportAgain(api, host, 'alpha', running('30'));
    expect(await bootedKernels()).toEqual(['28', '29', '30'].map((abi) => `linux-image-6.1.0-${abi}-amd64`));
  });

  it('takes a kernel that the rules came to know for the one that ran', async () => {
    const running = (version: string) =>
      ({
        packages: [debianKernel('6.1.0-28-amd64', '6.1.119-1'), debianPackage('vim', version)],
        ...runs('6.1.0-28-amd64', '6.1.119-1'),
      }) as never;
    const host = await reportingHost(api, 'alpha', running('9-1'));
    await forget('linux-image-6.1.0-28-amd64');
    await reportAgain(api, host, 'alpha', running('9-2'));
    // As if its name had said nothing to them; of two reports, as some have rows of their own.
    const { pool } = api.database.db;
    await pool.query(`UPDATE host_changes SET booted_kernel_id = NULL`);
    await pool.query(
      `INSERT INTO host_changes SELECT host_id, sequence + 1, at, false, NULL, '', '' FROM host_changes`,
    );
    const worker = api.database.as('advisory-worker');
    const signal = new AbortController().signal;
    const walks = createExposureWalkStore(worker);
    await walks.walk(signal);
    await applyCurrentRules(worker, { counter: createHostCounter(), signal });
    expect(await bootedKernels()).toEqual(Array(2).fill('linux-image-6.1.0-28-amd64'));
    const { rows } = await pool.query('SELECT due FROM exposure_walks');
    expect(rows).toEqual([{ due: true }]);
    const before = await hostLedger(host);
    await reportAgain(api, host, 'alpha', running('9-3'));
    expect(await hostLedger(host)).toEqual(before);
  });

  it('has another kernel that the rules found from the newest report on', async () => {
    const old = debianKernel('6.1.0-28-amd64', '6.1.119-1');
    const current = debianKernel('6.1.0-29-amd64', '6.1.123-1');
    const running = { packages: [old, current], ...runs('6.1.0-28-amd64', '6.1.119-1') } as never;
    const host = await reportingHost(api, 'alpha', running);
    await forget('linux-image-6.1.0-28-amd64');
    await reportAgain(api, host, 'alpha', { ...(running as object), packages: [old] } as never);
    await api.database.db.pool.query(
      `UPDATE host_changes SET booted_kernel_id = (SELECT id FROM package_versions WHERE name = 'linux-image-6.1.0-29-amd64')`,
    );
    await applyCurrentRules(api.database.as('advisory-worker'), {
      counter: createHostCounter(),
      signal: new AbortController().signal,
    });
    expect(await bootedKernels()).toEqual(['linux-image-6.1.0-29-amd64', 'linux-image-6.1.0-28-amd64']);
    const { prisma } = api.database.db;
    const newest = await prisma.snapshot.findFirstOrThrow({ orderBy: { sequence: 'desc' } });
    const noted = await prisma.hostChange.findFirstOrThrow({ orderBy: { sequence: 'desc' } });
    expect(noted).toMatchObject({ sequence: newest.sequence, at: newest.receivedAt, isFirst: false });
  });

  it('judges by what an import changed before', async () => {
    const host = await reportingHost(api, 'alpha', packages(['openssh', '1:9.2p1-2']));
    await importOsv(api.database, [openssh('1:9.2p1-9')]);
    await reportAgain(api, host, 'alpha', packages(['openssh', '1:9.2p1-3']));
    await reportAgain(api, host, 'alpha', packages(['openssh', '1:9.2p1-9']));
    expect(await hostLedger(host)).toEqual(['first +1', '-1']);
  });
});
