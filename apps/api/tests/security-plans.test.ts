import type { Plan } from '@plimsoll/contract';
import { TriState } from '@plimsoll/proto';
import { apiPerFile } from './api-under-test.ts';
import {
  debianKernel,
  debianOffer,
  debianPackage,
  debianRecord,
  freshLists,
  reportingHost,
  runs,
} from './debian-fleet.ts';
import { importOsv } from './pipeline.ts';

const api = apiPerFile();

it('a plan never says that a host has nothing for security to do if no current feed can tell which offers are for security', async () => {
  await importOsv(api.database, [debianRecord('DEBIAN-CVE-2024-0001', 'openssh', { fixed: '2' })]);
  const host = await reportingHost(api, 'alpha.example.org', {
    observed: freshLists(),
    packages: [debianPackage('less', '1'), debianKernel('6.1.0-28-amd64', '6.1.119-1')],
    upgradable: [debianOffer('less')],
    ...runs(undefined, undefined, { rebootRequired: TriState.NO }),
  });
  const statesOf = async (options: object) => {
    const { body } = await api.admin.post('/api/v1/plans', { json: { hosts: [host.id], ...options } });
    return (body as Plan).hosts.map(({ state, notes }) => [state, notes.map(({ code }) => code)]);
  };
  expect(await statesOf({ upgrades: 'security' })).toEqual([['nothing_to_do', []]]);
  await api.database.db.pool.query(
    `UPDATE feeds SET updated_at = now() - interval '10 days' WHERE id = 'debian-osv'`,
  );
  expect(await statesOf({ upgrades: 'security' })).toEqual([['not_plannable', ['feed_outdated']]]);
  // All offers are in the plan, whatever they are for.
  expect(await statesOf({})).toEqual([['planned', ['feed_outdated']]]);
});
