import type { HostChanges, VulnerablePackage } from '@plimsoll/contract';
import { ageHistory } from '@plimsoll/testing';
import { type SnapshotChanges, sendSnapshot } from './agent-uploads.ts';
import { apiPerFile, type EnrolledHost, enrol } from './api-under-test.ts';
import { critical, debianKernel, debianPackage, debianRecord, runs } from './debian-fleet.ts';
import { importOsv } from './pipeline.ts';

const api = apiPerFile();
let server: EnrolledHost;
let booted: EnrolledHost;
let started: number;

const daysAgo = (days: number) => new Date(started - days * 86_400_000).toISOString();
const names = [
  'up',
  'again',
  'gone',
  'kept',
  'linux',
  'boot',
  'down',
  'edited',
  'late',
  'first',
  'second',
  'third',
];
const cveOf = (name: string) => `CVE-2024-${1000 + names.indexOf(name)}`;
const idOf = (name: string) => `DEBIAN-${cveOf(name)}`;

/** The records of a day; a record has the name of its package, and counts from the day on that lists it. */
const records = (fixedByName: Readonly<Record<string, string>>, withdrawn: readonly string[] = []) =>
  Object.entries(fixedByName).map(([name, fixed]) =>
    debianRecord(idOf(name), name, {
      fixed,
      cves: [cveOf(name)],
      ...(withdrawn.includes(name) ? { withdrawn: new Date().toISOString() } : {}),
    }),
  );
const erratum = debianRecord('DSA-1-1', 'folded', { fixed: '9', cves: ['CVE-2024-0009'] });
const recordOfErratum = debianRecord('DEBIAN-CVE-2024-0009', 'folded', {
  fixed: '9',
  cves: ['CVE-2024-0009'],
});

/** The vendor's record of the CVE, with a severity, says later that the installed version has the fix. */
const overruled = debianRecord('DSA-2-1', 'overruled', { fixed: '9', cves: ['CVE-2024-0010'] });
const overruling = debianRecord('DEBIAN-CVE-2024-0010', 'overruled', {
  fixed: '1',
  cves: ['CVE-2024-0010'],
  cvss: critical,
});

const report = (host: EnrolledHost, facts: SnapshotChanges) =>
  sendSnapshot(api, host, { ...facts, packageCount: facts.packages?.length ?? 0 });

const packages = (versions: Readonly<Record<string, string>>) => ({
  packages: Object.entries(versions).map(([name, version]) => debianPackage(name, version)),
});

const kernels = {
  old: debianKernel('6.1.0-28-amd64', '6.1.119-1'),
  new: debianKernel('6.1.0-29-amd64', '6.1.123-1'),
};
/** Built from the source of the kernel; listed only on request. */
const headers = debianPackage('linux-libc-dev', '6.1.119-1', { sourceName: 'linux' });
const bootOf = (which: keyof typeof kernels) => ({
  packages: [kernels.old, kernels.new, headers],
  ...runs(kernels[which].name.slice('linux-image-'.length), kernels[which].version),
});

beforeAll(async () => {
  server = await enrol(api, { hostname: 'server.example.org', autoApprove: true });
  booted = await enrol(api, { hostname: 'booted.example.org', autoApprove: true });
  const always = { up: '9', again: '9', gone: '9', kept: '9', linux: '6.1.130-1' };
  const closedBoot = debianRecord(idOf('boot'), 'linux', { fixed: '6.1.121-1' });
  const early = { ...always, down: '2', edited: '1' };
  const late = { ...always, down: '9', edited: '9', late: '9', first: '9', second: '9' };
  const same = { up: '2', gone: '9' };

  await importOsv(api.database, [...records(early), erratum, overruled, closedBoot]);
  await report(
    server,
    packages({
      up: '1',
      down: '2',
      edited: '1',
      late: '1',
      again: '1',
      gone: '1',
      kept: '1',
      folded: '1',
      overruled: '1',
    }),
  );
  await report(booted, { ...bootOf('old'), packages: [kernels.old, headers] });
  await ageHistory(api.database.db.pool, 2);

  // Eight days ago.
  await importOsv(api.database, [
    ...records({ ...early, second: '9' }, ['kept']),
    erratum,
    overruled,
    closedBoot,
  ]);
  const eighth = {
    ...same,
    down: '1',
    edited: '2',
    late: '2',
    kept: '1',
    folded: '1',
    overruled: '1',
    first: '1',
  };
  await report(server, packages(eighth));
  await report(booted, bootOf('old'));
  await ageHistory(api.database.db.pool, 2);

  // Six days ago.
  const sixth = records({ ...early, second: '9', first: '9' }, ['kept', 'gone']);
  await importOsv(api.database, [...sixth, erratum, recordOfErratum, overruled, overruling, closedBoot]);
  await report(server, packages({ ...eighth, kept: '9', second: '1' }));
  await report(booted, bootOf('new'));
  await ageHistory(api.database.db.pool, 2);

  // Four days ago.
  const fourth = [...records(late, ['kept', 'gone']), debianRecord(idOf('third'), 'linux')];
  await importOsv(api.database, [...fourth, erratum, recordOfErratum, overruled, overruling, closedBoot]);
  await report(server, packages({ ...eighth, kept: '9', second: '1', again: '1' }));
  await ageHistory(api.database.db.pool, 2);

  // Two days ago.
  await report(booted, bootOf('old'));
  await ageHistory(api.database.db.pool, 2);
  started = Date.now();
});

async function changes(host: EnrolledHost, query: string): Promise<HostChanges> {
  const answer = await api.admin.get(`/api/v1/hosts/${host.id}/changes?${query}`);
  expect(answer.status).toBe(200);
  return answer.body;
}

const causesOf = (
  findings: readonly { readonly advisories: HostChanges['opened'][number]['advisories'] }[],
) => findings.flatMap(({ advisories }) => advisories.map(({ id, cause }) => `${id} ${cause}`)).toSorted();

it('of several changes, the last one opened a finding and the first one closed it', async () => {
  const { opened, closed } = await changes(server, `from=${daysAgo(9)}`);
  expect(causesOf(opened)).toEqual(
    [
      'DEBIAN-CVE-2024-0009 source_changed',
      `${idOf('down')} package_changed`,
      `${idOf('edited')} advisory_changed`,
      `${idOf('first')} advisory_published`,
      `${idOf('late')} advisory_published`,
      `${idOf('second')} package_changed`,
    ].toSorted(),
  );
  expect(causesOf(closed)).toEqual(
    [
      'DSA-1-1 source_changed',
      // Only its severity changed, which is that of the record.
      'DSA-2-1 source_changed',
      `${idOf('gone')} package_changed`,
      `${idOf('kept')} advisory_withdrawn`,
    ].toSorted(),
  );
});

it('compares what was known at both times', async () => {
  const { opened, closed, packages: changed } = await changes(server, `from=${daysAgo(9)}&to=${daysAgo(7)}`);
  expect(causesOf(opened)).toEqual([`${idOf('down')} package_changed`]);
  expect(causesOf(closed)).toEqual(
    [
      `${idOf('again')} package_changed`,
      `${idOf('gone')} package_changed`,
      `${idOf('kept')} advisory_withdrawn`,
    ].toSorted(),
  );
  expect(changed.map(({ kind, name }) => `${kind} ${name}`)).toContain('removed again');
});

it('states boots as the cause of findings of the kernel', async () => {
  const there = await changes(booted, `from=${daysAgo(7)}&to=${daysAgo(5)}`);
  expect(causesOf(there.closed)).toContain(`${idOf('boot')} kernel_booted`);
  const back = await changes(booted, `from=${daysAgo(3)}`);
  expect(causesOf(back.opened)).toContain(`${idOf('boot')} kernel_booted`);
  expect(
    new Set([...causesOf(back.opened), ...causesOf(back.closed)].map((text) => text.split(' ')[1])),
  ).toEqual(new Set(['kernel_booted']));
  const installed = await changes(booted, `from=${daysAgo(9)}&to=${daysAgo(7)}`);
  expect([installed.opened, installed.closed]).toEqual([[], []]);
});

it('lists the companions of the kernel by what was known then', async () => {
  const advisoriesOfHeaders = async (query: string) => {
    const path = `/api/v1/hosts/${booted.id}/packages/vulnerable?include_unfixed=true&include_companions=true${query}`;
    const rows = (await api.admin.get(path)).body as readonly VulnerablePackage[];
    const row = rows.find(({ name }) => name === 'linux-libc-dev');
    return row?.advisories.map(({ id }) => id).toSorted();
  };
  const both = [idOf('linux'), idOf('boot')].toSorted();
  expect(await advisoriesOfHeaders(`&at=${daysAgo(9)}`)).toEqual(both);
  expect(await advisoriesOfHeaders(`&at=${daysAgo(9)}&known=now`)).toEqual(
    [...both, idOf('third')].toSorted(),
  );
});

it('says how current CISA KEV is only beside what rests on its data of now', async () => {
  const stateOfKev = async (query: string) => {
    const path = `/api/v1/hosts/${booted.id}/packages/vulnerable${query}`;
    const { status, headers } = await api.admin.get(path);
    return [status, headers['plimsoll-exploited-data']];
  };
  expect(await stateOfKev('')).toEqual([200, 'never_synced']);
  expect(await stateOfKev(`?at=${daysAgo(9)}&known=now`)).toEqual([200, 'never_synced']);
  expect(await stateOfKev(`?at=${daysAgo(9)}`)).toEqual([200, undefined]);
});
