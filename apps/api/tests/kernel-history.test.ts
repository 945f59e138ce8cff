import type { ExposureAnswer, HostChanges } from '@plimsoll/contract';
import { ageHistory } from '@plimsoll/testing';
import type { SnapshotChanges as Changes } from './agent-uploads.ts';
import { errata, kernelPart, kernelVersion, uploadAlma } from './alma-hosts.ts';
import { apiPerTest, type EnrolledHost, enrol } from './api-under-test.ts';
import { importOsv } from './pipeline.ts';
import { stateDifferences } from './state-differences.ts';

const api = apiPerTest();
let host: EnrolledHost;
beforeEach(async () => {
  host = await enrol(api, { hostname: 'rpm.example.org' });
  await importOsv(api.database, errata, 'almalinux-errata');
});

const next = '4.18.0-553.30.1.el8_10';
const names = ['kernel-core', 'kernel-modules'];
const older = (name: string) => kernelPart(name);
const newer = (name: string) => ({ ...kernelPart(name), version: next, sourceVersion: next });
const report = (packages: NonNullable<Changes['packages']>, running = kernelVersion) =>
  uploadAlma(api, host, packages, { kernel: { runningRelease: `${running}.x86_64`, runningVersion: '' } });
/** The section of the kernel could not be read. */
const reportWithoutKernel = (packages: NonNullable<Changes['packages']>) =>
  uploadAlma(api, host, packages, { kernel: {}, failures: [{ section: 'kernel', detail: 'timed out' }] });
const pass = (days: number) => ageHistory(api.database.db.pool, days);
const daysSince = (time: string) => Math.round((Date.now() - Date.parse(time)) / 86_400_000);

/** By package: the version, and for how many days it is a finding. */
async function findings(): Promise<readonly (readonly [string, string, number])[]> {
  const { body } = await api.admin.get(`/api/v1/hosts/${host.id}/packages/vulnerable`);
  return (body as { name: string; installed_version: string; first_seen_at: string }[]).map(
    (row) => [row.name, row.installed_version, daysSince(row.first_seen_at)] as const,
  );
}

/** By package: for how many days the exposures go on. */
async function exposures(): Promise<readonly (readonly [string, number])[]> {
  const { body } = await api.admin.get(`/api/v1/hosts/${host.id}/exposures?open=true`);
  return (body as { package: string; from: string }[])
    .map((row) => [row.package, daysSince(row.from)] as const)
    .toSorted();
}

describe('of several installed kernels', () => {
  it('a finding of the running one and of its parts is first seen when the first affected one ran', async () => {
    await report(names.map(older));
    await pass(3);
    await report([...names.map(older), ...names.map(newer)], next);
    await pass(2);
    expect(await findings()).toEqual(names.map((name) => [name, next, 5]));
    expect(await exposures()).toEqual(names.map((name) => [name, 5]));
  });

  it('a part that is installed while its kernel runs is first seen then', async () => {
    await report([older('kernel-core')]);
    await pass(4);
    await report(names.map(older));
    await pass(2);
    expect(await findings()).toEqual([
      ['kernel-core', kernelVersion, 6],
      ['kernel-modules', kernelVersion, 2],
    ]);
    expect(await exposures()).toEqual([
      ['kernel-core', 6],
      ['kernel-modules', 2],
    ]);
  });
});

/** By package, the oldest first: how it began and ended, and for how many days the fix is installed and runs. */
async function allExposures(): Promise<readonly string[]> {
  const { body } = await api.admin.get(`/api/v1/hosts/${host.id}/exposures`);
  const days = (time: string | null) => (time === null ? '-' : daysSince(time));
  return (body as ExposureAnswer[])
    .toSorted((a, b) => a.package.localeCompare(b.package) || a.from.localeCompare(b.from))
    .map((each) =>
      [
        `${each.package} ${days(each.from)} ${each.from_cause} to ${days(each.until)} ${each.until_cause ?? '-'}`,
        `installed ${days(each.installed_at)} running ${days(each.running_at)}`,
      ].join(', '),
    );
}

/** What `GET /hosts/{id}/changes` says of the last days. */
async function changed(days: number, more = ''): Promise<Pick<HostChanges, 'opened' | 'closed'>> {
  const from = encodeURIComponent(new Date(Date.now() - days * 86_400_000).toISOString());
  const { body } = await api.admin.get(`/api/v1/hosts/${host.id}/changes?from=${from}${more}`);
  const { opened, closed } = body as HostChanges;
  return { opened, closed };
}

/** The ids of the snapshots, the newest first. */
async function snapshots(): Promise<readonly string[]> {
  const { body } = await api.admin.get(`/api/v1/hosts/${host.id}/snapshots`);
  return (body as { id: string }[]).map(({ id }) => id);
}

/** What `plimsoll verify` says; payloads are of before the history was aged. */
const differences = async () =>
  (await stateDifferences(api.database.as('cli'))).filter(({ what }) => what !== 'payload');

describe('a report that does not say which kernel runs', () => {
  const kernels = [...names.map(older), ...names.map(newer)];
  const open = names.map((name) => `${name} 6 first_snapshot to - -, installed - running -`);

  it('does not count as a boot: the exposures to the kernel before it go on', async () => {
    await report(kernels);
    await pass(3);
    await reportWithoutKernel(kernels);
    const { body } = await api.admin.get(`/api/v1/hosts/${host.id}`);
    expect(body).toMatchObject({ important_count: 0, unknown_count: 2 });
    await pass(3);
    expect(await allExposures()).toEqual(open);
    expect(await differences()).toEqual([]);
    await report(kernels);
    expect(await findings()).toEqual(names.map((name) => [name, kernelVersion, 6]));
    expect(await allExposures()).toEqual(open);
    expect(await differences()).toEqual([]);
  });

  it('opens and closes nothing', async () => {
    await report(kernels);
    await pass(1);
    await reportWithoutKernel(kernels);
    expect(await changed(1)).toEqual({ opened: [], closed: [] });
    await report(kernels);
    expect(await changed(1)).toEqual({ opened: [], closed: [] });
    const [, unstated] = await snapshots();
    expect(await changed(1, `&from_snapshot=${unstated}`)).toEqual({ opened: [], closed: [] });
    await report(kernels, '4.18.0-553.40.1.el8_10');
    const { closed } = await changed(1, `&from_snapshot=${(await snapshots()).at(-1)}`);
    expect(closed.map(({ name, advisories }) => [name, advisories.map(({ cause }) => cause)])).toEqual(
      names.map((name) => [name, ['kernel_booted']]),
    );
  });
});

describe('the causes of a kernel and its parts', () => {
  it('are each of the part: installed and removed while its kernel runs', async () => {
    await report([older('kernel-core')]);
    await pass(2);
    await report(names.map(older));
    await pass(2);
    await report([older('kernel-core')]);
    await pass(2);
    expect(await allExposures()).toEqual([
      'kernel-core 6 first_snapshot to - -, installed - running -',
      'kernel-modules 4 package_changed to 2 package_changed, installed - running -',
    ]);
  });

  it('are boots if the kernel comes or goes with its parts', async () => {
    const fixed = '4.18.0-553.40.1.el8_10';
    const fix = (name: string) => ({ ...kernelPart(name), version: fixed, sourceVersion: fixed });
    await report(names.map(fix), fixed);
    await pass(2);
    await report([...names.map(fix), ...names.map(older)]);
    await pass(2);
    await report(names.map(fix), fixed);
    await pass(2);
    expect(await allExposures()).toEqual(
      names.map((name) => `${name} 4 kernel_booted to 2 kernel_booted, installed 6 running 2`),
    );
  });

  it('do not say that a fix runs if the kernel that was booted is of another flavour', async () => {
    const realTime = '4.18.0-553.40.1.rt7.381.el8_10';
    const core = { ...kernelPart('kernel-rt-core'), version: realTime, sourceVersion: realTime };
    await report([older('kernel-core'), core]);
    await pass(2);
    await report([older('kernel-core'), core], realTime);
    await pass(2);
    expect(await allExposures()).toEqual([
      'kernel-core 4 first_snapshot to 2 kernel_booted, installed - running -',
    ]);
  });
});
