import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describeWhere, missingCommands } from '@plimsoll/testing';
import { healthySeries } from './healthy-series.ts';

const root = path.resolve(__dirname, '../..');
const rulesFile = path.join(root, 'deploy/prometheus/rules.yml');
const rulesText = readFileSync(rulesFile, 'utf8');
const alerts = [...rulesText.matchAll(/alert: (\w+)/g)].map(([, name = '']) => name);

type Series = Readonly<Record<string, string>>;
const age = (round: string) => `plimsoll_round_last_success_age_seconds{round="${round}"}`;
const feed = (name: string, more = '') => `plimsoll_feed_${name}{feed="debian-tracker"${more}}`;
const infinite = 'Inf '.repeat(600);
const unknown = 'NaN '.repeat(600);
const failed = 'plimsoll_http_request_duration_seconds_count{route="/api/v1/hosts",status="503"}';

/** Each alert with the values that fire it in an otherwise healthy service. */
const faults: readonly (readonly [alert: string, values: Series])[] = [
  ['PlimsollTargetDown', { 'up{job="plimsoll"}': '0x600' }],
  ['PlimsollNoMetrics', without(/^plimsoll_unready/)],
  ['PlimsollSeriesMissing', without(/^plimsoll_work_oldest/)],
  ['PlimsollValueUnknown', { 'plimsoll_disk_free_bytes{folder="data"}': unknown }],
  ['PlimsollValueUnknown', { 'plimsoll_clock_offset_seconds{instance="a"}': unknown }],
  ['PlimsollDatabaseAway', { 'plimsoll_unready{part="database"}': '1x600' }],
  ['PlimsollSchemaMismatch', { 'plimsoll_unready{part="migrations"}': '1x600' }],
  ['PlimsollQueueAway', { 'plimsoll_unready{part="queue"}': '1x600' }],
  ['PlimsollAppMissing', { 'plimsoll_processes{app="scheduler"}': '0x600' }],
  ['PlimsollAppNotScraped', without(/^plimsoll_process_info/)],
  ['PlimsollAppNotScraped', { 'plimsoll_processes{app="scheduler"}': '2x600' }],
  ['PlimsollDiskLow', { 'plimsoll_disk_free_bytes{folder="data"}': '1e9x600' }],
  ['PlimsollDiskFull', { 'plimsoll_disk_free_bytes{folder="downloads"}': '1e8x600' }],
  ['PlimsollMemoryHigh', { 'process_resident_memory_bytes{job="plimsoll"}': '3.9e9x600' }],
  ['PlimsollRedisMemoryHigh', { plimsoll_redis_memory_limit_bytes: '1e9x600' }],
  ['PlimsollClockOff', { plimsoll_clock_offset_seconds: '-3600x600' }],
  ['PlimsollCertificateEnds', { plimsoll_tls_certificate_not_after_seconds: '700000x600' }],
  ['PlimsollServerErrors', { [failed]: '0+10x600' }],
  ['PlimsollDatabaseErrors', { 'plimsoll_database_errors_total{kind="disk_full"}': '0+9x600' }],
  ['PlimsollUploadsWait', { 'plimsoll_uploads_pending_oldest_seconds{state="received"}': '1000x600' }],
  ['PlimsollWorkWaits', { 'plimsoll_work_oldest_seconds{work="import"}': '9000x600' }],
  ['PlimsollRoundFailing', { 'plimsoll_round_failing{round="drop old uploads"}': '1x600' }],
  ['PlimsollRoundLate', { 'plimsoll_round_late{round="drop old uploads"}': '1x600' }],
  ['PlimsollRoundNever', { [age('drop old uploads')]: infinite }],
  ['PlimsollBackupOld', { 'plimsoll_round_late{round="back up"}': '1x600' }],
  ['PlimsollBackupOld', { 'plimsoll_round_failing{round="back up"}': '1x600' }],
  ['PlimsollBackupMissing', { [age('back up')]: infinite }],
  ['PlimsollBackupMissing', without(/round="back up"/)],
  ['PlimsollFeedNotCurrent', { [feed('freshness', ',freshness="outdated"')]: '1x600' }],
  ['PlimsollFeedFailing', { [feed('consecutive_failures')]: '3x600' }],
  ['PlimsollFeedRecordsUnread', { [feed('rejected_records')]: '2x306 3x200' }],
  ['PlimsollPullsFail', { 'plimsoll_ssh_visits_total{outcome="timeout"}': '0+90x600' }],
  ['PlimsollHostKeyMismatch', { 'plimsoll_ssh_visits_total{outcome="host_key_mismatch"}': '0x306 1x200' }],
  ['PlimsollNotificationsGivenUp', { 'plimsoll_notifications_given_up_total{kind="email"}': '0x306 1x200' }],
  ['PlimsollQuarantined', { 'plimsoll_quarantined{kind="upload"}': '2x306 3x200' }],
];

/** Series with a value that says nothing: by default none. */
function without(pattern: RegExp, value = '_x600'): Series {
  return Object.fromEntries(
    Object.keys(healthySeries)
      .filter((name) => pattern.test(name))
      .map((name) => [name, value]),
  );
}

/** A test of promtool: which alerts fire at a time with these values. */
function expecting(values: Series, at: string, firing: readonly string[]): object {
  const series = Object.entries({ ...healthySeries, ...values });
  const expr = 'count by (alertname) (ALERTS{alertstate="firing"})';
  const samples = firing.map((alertname) => ({ labels: `{alertname="${alertname}"}`, value: 1 }));
  return {
    interval: '5m',
    input_series: series.map(([name, text]) => ({ series: name, values: text })),
    promql_expr_test: [{ expr, eval_time: at, exp_samples: samples }],
  };
}

describeWhere(missingCommands('promtool'), 'the alerts of deploy/prometheus/rules.yml', () => {
  it('fire at their fault alone, and neither in a healthy service nor in a fresh one', () => {
    const fresh = {
      [age('back up')]: infinite,
      [age('drop old uploads')]: infinite,
      [feed('freshness', ',freshness="never_synced"')]: '1x600',
      [feed('freshness', ',freshness="current"')]: '0x600',
    };
    const tests = [
      expecting({}, '26h', []),
      expecting(fresh, '2h', []),
      ...faults.map(([alert, values]) => expecting(values, '26h', [alert])),
    ];
    const folder = mkdtempSync(path.join(tmpdir(), 'plimsoll-alerts-'));
    try {
      const file = path.join(folder, 'test.json');
      writeFileSync(file, JSON.stringify({ rule_files: [rulesFile], evaluation_interval: '30m', tests }));
      const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', file], { encoding: 'utf8' });
      expect([status, stdout + stderr]).toEqual([0, expect.stringContaining('SUCCESS')]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('have an example that Prometheus accepts', () => {
    const file = path.join(root, 'deploy/prometheus/prometheus.yml');
    expect(spawnSync('promtool', ['check', 'config', '--syntax-only', file]).status).toBe(0);
  });
});

it('are each fired here, and name a page that exists', () => {
  expect([...new Set(faults.map(([alert]) => alert))]).toEqual(alerts);
  // A real service has all of healthySeries: alerts.service.test.ts.
  const known = new Set(Object.keys(healthySeries).map((name) => name.replace(/\{.*/, '')));
  expect(
    [...rulesText.matchAll(/\b(?:plimsoll|process)_\w+/g)]
      .map(([name]) => name)
      .filter((name) => !known.has(name)),
  ).toEqual([]);
  const pages = rulesText
    .split('alert: ')
    .slice(1)
    .map((rule) => /docs\/[\w/-]+\.md/.exec(rule)?.[0] ?? 'no page');
  expect(pages.filter((page) => !existsSync(path.join(root, page)))).toEqual([]);
});
