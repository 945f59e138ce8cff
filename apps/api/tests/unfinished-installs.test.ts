import { readFileSync } from 'node:fs';
import path from 'node:path';
import { apiPerFile } from './api-under-test.ts';
import { fleetOf } from './fleet.ts';
import { importOsv } from './pipeline.ts';

const folder = path.resolve(__dirname, '../testdata/cases/apt-fix-half-configured');
const api = apiPerFile();

/** The case's host, a while ago, with this row of curl: dpkg's status, version and last configured version. */
function report(
  minutesAgo: number,
  [status, version, configured]: readonly [string, string, string],
): string {
  const collectedAt = Math.floor(Date.now() / 1000) - minutesAgo * 60;
  return readFileSync(path.join(folder, 'report.txt'), 'utf8')
    .replace(/collected_at\t\d+/, `collected_at\t${collectedAt}`)
    .replace(/ iF .*/, ` ${status}\tcurl\tamd64\t${version}\tcurl\t${version}\t${configured}`);
}

it('a finding stays open through an installation that does not end, and ends with it', async () => {
  await importOsv(api.database, JSON.parse(readFileSync(path.join(folder, 'osv.json'), 'utf8')));
  const fleet = fleetOf(api);
  const id = await fleet.addHost();
  const read = async (what: string) => (await api.admin.get(`/api/v1/hosts/${id}/${what}`)).body;
  const [old, fixed] = ['7.88.1-10+deb12u5', '7.88.1-10+deb12u8'];
  const seen: unknown[] = [];
  for (const [minutes, row] of [
    [3, ['ii ', old, '']],
    [2, ['iF ', fixed, old]],
    [1, ['ii ', fixed, '']],
  ] as const) {
    expect((await fleet.sendAndWait(id, report(minutes, row))).status).toBe(200);
    const { overall_action, broken_count } = await fleet.hostOf(id);
    const findings = await read('packages/vulnerable');
    const exposures: readonly { advisory_id: string; until: string | null }[] = await read('exposures');
    seen.push([
      overall_action,
      broken_count,
      findings.map((row: { fix_state: string }) => row.fix_state),
      exposures.map(({ until }) => until === null),
    ]);
  }
  expect(seen).toEqual([
    ['unblock', 2, ['not_in_repositories'], [true]],
    ['update_security', 3, ['unfinished'], [true]],
    ['update', 2, [], [false]],
  ]);
});
