import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { judgeCase, readCases } from '@plimsoll/testing';
import { apiPerTest } from './api-under-test.ts';
import { fleetOf } from './fleet.ts';
import { importOsv } from './pipeline.ts';

const api = apiPerTest();
const cases = readCases(path.resolve(__dirname, '../testdata/cases'));

it.each(cases.map((one) => [one.name, one] as const))('%s is judged right', async (_name, one) => {
  expect(Object.keys(one.answers)).not.toEqual([]);
  for (const { file } of one.advisories)
    await importOsv(api.database, JSON.parse(await readFile(file, 'utf8')));
  const fleet = fleetOf(api);
  const judged = await judgeCase(one, {
    send: async (report) => {
      const hostId = await fleet.addHost();
      const { status, body } = await fleet.sendAndWait(hostId, report);
      return { hostId, status, body };
    },
    read: async (address) => {
      const { body, text, type } = await api.admin.get(`/api/v1${address}`);
      return type.includes('json') ? body : text;
    },
  });
  expect(judged.differences).toEqual([]);
});
