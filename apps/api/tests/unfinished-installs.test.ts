import { readFileSync } from 'node:fs';
import path from 'node:path';
import { apiPerFile } from './api-under-test.ts';
import { fleetOf } from './fleet.ts';
import { importOsv } from './pipeline.ts';

const folder = path.resolve(__dirname, '../testdata/cases/apt-fix-half-configured');
const api = apiPerFile();

/** The case's host, a while ago, with this row of curl; null: dpkg cannot read its database. */
function report(minutesAgo: number, row: string | null): string {
  const collectedAt = Math.floor(Date.now() / 1000) - minutesAgo * 60;
  return readFileSync(path.join(folder, 'report.txt'), 'utf8')
    .replace(/collected_at\t\d+/, `collected_at\t${collectedAt}`)
    .replace(/ iF .*?@exit 0/s, (rows) =>
      row === null ? rows.replace(/^ .*/gm, ' ').replace('@exit 0', '@exit 2') : rows.replace(/iF .*/, row),
    );
}

/** A row of curl: dpkg's status, version and, of newer collectors, the last configured version. */
function curl(status: string, version: string, ...configured: readonly string[]): string {
  return [`${status} `, 'curl', 'amd64', version, 'curl', version, ...configured].join('\t');
}

const [old, fixed] = ['7.88.1-10+deb12u5', '7.88.1-10+deb12u8'];
const open = ['unblock', 2, ['not_in_repositories'], [true]];
const unfinished = ['update_security', 3, ['unfinished'], [true]];
const closed = ['update', 2, [], [false]];

it.each<[string, readonly (readonly [string | null, readonly unknown[]])[]]>([
  [
    'through an installation that does not end, and ends with it',
    [
      [curl('ii', old, ''), open],
      [curl('iF', fixed, old), unfinished],
      [curl('ii', fixed, ''), closed],
    ],
  ],
  [
    'through the same in reports of an older collector',
    [
      [curl('ii', old), open],
      [curl('iF', fixed), unfinished],
    ],
  ],
  [
    'while its package, or the list of all, cannot be read',
    [
      [null, ['unknown', 0, [], []]],
      [curl('ii', old, ''), open],
      ['ii \tcurl', open],
      [null, ['unblock', 0, ['not_in_repositories'], [true]]],
      [curl('ii', fixed, ''), closed],
    ],
  ],
])('a finding stays open %s', async (_when, steps) => {
  await importOsv(api.database, JSON.parse(readFileSync(path.join(folder, 'osv.json'), 'utf8')));
  const fleet = fleetOf(api);
  const id = await fleet.addHost();
  const read = async (what: string) => (await api.admin.get(`/api/v1/hosts/${id}/${what}`)).body;
  for (const [index, [row, expected]] of steps.entries()) {
    expect((await fleet.sendAndWait(id, report(steps.length - index, row))).status).toBe(200);
    const { overall_action, broken_count } = await fleet.hostOf(id);
    const findings = await read('packages/vulnerable');
    const exposures: readonly { until: string | null }[] = await read('exposures');
    const states = findings.map((finding: { fix_state: string }) => finding.fix_state);
    const isOpen = exposures.map(({ until }) => until === null);
    expect([overall_action, broken_count, states, isOpen]).toEqual(expected);
  }
});
