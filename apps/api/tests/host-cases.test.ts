import path from 'node:path';
import type { UploadId } from '@plimsoll/model';
import { collectedBefore, readCases } from '@plimsoll/testing';
import { apiPerFile } from './api-under-test.ts';
import { debianRecord } from './debian-fleet.ts';
import { fleetOf } from './fleet.ts';
import { importOsv, parseAndMatch } from './pipeline.ts';

// What an operator does with the hosts of cases; cases.test.ts has what they show by themselves.
const api = apiPerFile();
const get = async (path: string) => (await api.admin.get(`/api/v1${path}`)).body;
const cases = readCases(path.resolve(__dirname, '../testdata/cases'));

async function hostOf(name: string): Promise<string> {
  const id = await fleetOf(api).addHost();
  const report = cases.find((one) => one.name === name)?.report ?? '';
  expect((await fleetOf(api).sendAndWait(id, collectedBefore(report, new Date()))).status).toBe(200);
  return id;
}

it('an operator states that an archive mirrors Debian, for all hosts or by tag', async () => {
  await importOsv(api.database, [debianRecord('CVE-2024-0001', 'openssl', { fixed: '3.0.15-1~deb12u1' })]);
  const id = await hostOf('aptly-mirror-of-debian');
  const verdict = async () => {
    const [{ verdict, verdict_reason: reason }] = await get(`/hosts/${id}/packages`);
    return reason ?? verdict;
  };
  const found = async () =>
    (await get(`/hosts/${id}/packages/vulnerable`)).map((row: { fix_state: string }) => row.fix_state);
  const state = async (rules: readonly object[]) => {
    const { status } = await api.admin.put('/api/v1/policies/origins', { json: rules });
    expect(status).toBe(200);
    await readAgain();
  };
  const tag = async (...tags: readonly string[]) => {
    await api.admin.patch(`/api/v1/hosts/${id}`, { json: { tags } });
    await readAgain();
  };
  const readAgain = async () => {
    const uploads = await fleetOf(api).uploadsOf(id);
    await parseAndMatch(
      api.database,
      uploads
        .filter((one: { state: string }) => one.state === 'received')
        .map((one: { id: UploadId }) => one.id),
    );
  };
  expect(await verdict()).toBe('not_the_distributions');
  const rule = { origin: '. Bookworm', mirrors: 'debian' };
  const preview = await api.admin.post('/api/v1/policies/origins/preview', { json: [rule] });
  expect(preview.body).toEqual({ rules: [{ hosts: 1, packages: 1, unchecked: 1 }] });
  await state([rule]);
  expect(await verdict()).toBe('comparable');
  expect(await found()).toEqual(['installable']);
  const [row] = await get(`/hosts/${id}/packages`);
  expect(row.origin_evidence).toBe('". bookworm" is stated to mirror debian.');
  await state([{ ...rule, label: '. Bookworm' }]);
  expect(await verdict()).toBe('not_the_distributions');
  await state([
    { ...rule, label: 'other' },
    { ...rule, label: '. bookworm' },
  ]);
  expect(await found()).toEqual(['installable']);
  await state([{ ...rule, tags: ['lab'] }]);
  expect(await found()).toEqual([]);
  await tag('lab');
  expect(await found()).toEqual(['installable']);
  await tag('other');
  expect(await found()).toEqual([]);
  expect(await get('/policies/origins')).toEqual([{ ...rule, tags: ['lab'] }]);
  const [event] = (await get('/audit-events?action=origin_rules.changed')) as { details: object }[];
  expect(event?.details).toEqual({
    rules: {
      from: [
        '. Bookworm with the label other mirrors debian',
        '. Bookworm with the label . bookworm mirrors debian',
      ],
      to: ['. Bookworm mirrors debian for lab'],
    },
  });
});

it('a playbook leaves out a host in image mode', async () => {
  const json = { hosts: [await hostOf('image-mode-plan')], upgrades: 'all', versions: 'pinned' };
  const { hosts } = (await api.admin.post('/api/v1/plans', { json })).body;
  expect(hosts).toMatchObject([{ command: 'bootc upgrade' }]);
  const codes = hosts[0].notes.map(({ code }: { code: string }) => code);
  expect(codes).toEqual(expect.arrayContaining(['image_based', 'no_playbook']));
});
