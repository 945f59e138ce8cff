import { ageHistory } from '@plimsoll/testing';
import { type Changes, errata, kernelPart, kernelVersion, uploadAlma } from './alma-hosts.ts';
import { type ApiUnderTest, type EnrolledHost, enrol, setUp, startApi } from './api-under-test.ts';
import { importOsv } from './pipeline.ts';

let api: ApiUnderTest;
let token: string;
let host: EnrolledHost;
beforeEach(async () => {
  api = await startApi();
  token = await setUp(api);
  host = await enrol(api, token, { hostname: 'rpm.example.org' });
  await importOsv(api.database, errata, 'almalinux-errata');
});
afterEach(() => api.stop());

const next = '4.18.0-553.30.1.el8_10';
const names = ['kernel-core', 'kernel-modules'];
const older = (name: string) => kernelPart(name);
const newer = (name: string) => ({ ...kernelPart(name), version: next, sourceVersion: next });
const report = (packages: NonNullable<Changes['packages']>, running = kernelVersion) =>
  uploadAlma(api, host, packages, { kernel: { runningRelease: `${running}.x86_64`, runningVersion: '' } });
const pass = (days: number) => ageHistory(api.database.db.pool, days);
const daysSince = (time: string) => Math.round((Date.now() - Date.parse(time)) / 86_400_000);

/** By package: the version, and for how many days it is a finding. */
async function findings(): Promise<readonly (readonly [string, string, number])[]> {
  const { body } = await api.get(`/api/v1/hosts/${host.id}/packages/vulnerable`, { token });
  return (body as { name: string; installed_version: string; first_seen_at: string }[]).map(
    (row) => [row.name, row.installed_version, daysSince(row.first_seen_at)] as const,
  );
}

/** By package: for how many days the exposures go on. */
async function exposures(): Promise<readonly (readonly [string, number])[]> {
  const { body } = await api.get(`/api/v1/hosts/${host.id}/exposures?open=true`, { token });
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
