import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createRoundStore } from '@plimsoll/db';
import { findFreePort } from '@plimsoll/embedded';
import { type ServiceApp, serviceApps } from '@plimsoll/model';
import {
  createTestDatabase,
  describeWhere,
  missingCommands,
  startService,
  testRedisUrl,
  waitFor,
} from '@plimsoll/testing';
import { faketimeFolder } from '../year/world-clock.ts';
import { healthySeries } from './healthy-series.ts';

const projectDir = path.resolve(__dirname, '../..');
const redisUrl = testRedisUrl() ?? '';
const faketime = faketimeFolder();
const missing = [
  ...missingCommands('prometheus'),
  ...(redisUrl === '' ? ['redis-server'] : []),
  ...(faketime === null ? ['libfaketime'] : []),
];

const aMinuteAhead = { LD_PRELOAD: path.join(faketime ?? '', 'libfaketimeMT.so.1'), FAKETIME: '+60' };

interface Found {
  readonly data?: { readonly result: readonly { readonly metric: Readonly<Record<string, string>> }[] };
}

describeWhere(missing, 'a Prometheus that scrapes a service', () => {
  it('reports nothing but what holds, and each fault that comes', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'plimsoll-alerts-'));
    const database = await createTestDatabase();
    const { pool } = database.db;
    const service = await startService({
      projectDir,
      databaseUrl: database.url,
      queue: { kind: 'redis', url: redisUrl },
      apps: ['api'],
    });
    const targets = [new URL(service.url).host];
    const start = async (app: ServiceApp, more: Readonly<Record<string, string>>) => {
      const port = await findFreePort();
      targets.push(`127.0.0.1:${port}`);
      service.start(app, { PLIMSOLL_WORKER_HEALTH_PORT: String(port), ...more });
    };
    const address = `127.0.0.1:${await findFreePort()}`;
    let prometheus: ChildProcess | null = null;

    /** The values of a label in the answer to a question to its API, v1; none while it starts. */
    const ask = async (query: string, label: string): Promise<readonly string[]> => {
      const url = `http://${address}/api/v1/query?query=${encodeURIComponent(query)}`;
      const found = await fetch(url)
        .then(async (answer) => (await answer.json()) as Found)
        .catch(() => null);
      const result = found?.data?.result ?? [];
      return [...new Set(result.map(({ metric }) => metric[label] ?? ''))].sort();
    };
    /** Waits until these fire, and what holds in a service without a backup. */
    const fires = async (alerts: readonly string[], { alone }: { readonly alone: boolean }) => {
      const wanted = [...alerts, ...(alone ? ['PlimsollBackupMissing'] : [])].sort();
      let found: readonly string[] = [];
      const isThere = async () => {
        // For three looks at the rules, so that it is steady.
        found = await ask('max_over_time(ALERTS{alertstate="firing"}[3s])', 'alertname');
        return wanted.every((name) => found.includes(name)) && (!alone || found.length === wanted.length);
      };
      // The comparison shows what fires instead.
      await waitFor(String(wanted), isThere).catch(() => expect(found).toEqual(wanted));
    };
    try {
      for (const app of serviceApps.slice(1)) await start(app, app === 'notify-worker' ? aMinuteAhead : {});
      const rules = await readFile(path.join(projectDir, 'deploy/prometheus/rules.yml'), 'utf8');
      // Feeds and rounds need their time.
      await writeFile(path.join(folder, 'rules.yml'), rules.replaceAll(/for: (?!3h)\S+/g, 'for: 1s'));
      const config = {
        global: { scrape_interval: '1s', evaluation_interval: '1s' },
        rule_files: ['rules.yml'],
        scrape_configs: [{ job_name: 'plimsoll', static_configs: [{ targets }] }],
      };
      await writeFile(path.join(folder, 'prometheus.json'), JSON.stringify(config));
      const args = [`--config.file=${folder}/prometheus.json`, `--storage.tsdb.path=${folder}/data`];
      prometheus = spawn('prometheus', [...args, `--web.listen-address=${address}`], { stdio: 'ignore' });
      await fires(['PlimsollClockOff'], { alone: true });
      const missingSeries: string[] = [];
      // That of the certificate: apps/api/tests/tls.test.ts.
      for (const name of Object.keys(healthySeries).filter((each) => !each.includes('_tls_')))
        if ((await ask(`count(${name})`, '')).length === 0) missingSeries.push(name);
      expect(missingSeries).toEqual([]);

      for (const process of service.processes('report-worker')) process.kill('SIGKILL');
      await createRoundStore(database.db).noteFailure('back up', 'The disk is full.');
      await fires(['PlimsollAppMissing', 'PlimsollBackupOld', 'PlimsollClockOff', 'PlimsollTargetDown'], {
        alone: true,
      });
      const name = new URL(database.url).pathname.slice(1);
      await pool.query(`ALTER DATABASE ${name} CONNECTION LIMIT 0`);
      await pool.query(
        'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND usename <> current_user',
        [name],
      );
      await fires(
        ['PlimsollDatabaseAway', 'PlimsollDatabaseErrors', 'PlimsollSeriesMissing', 'PlimsollValueUnknown'],
        { alone: false },
      );
    } finally {
      const ended = prometheus === null ? null : once(prometheus, 'exit');
      prometheus?.kill();
      await ended;
      await service.stop();
      await database.drop();
      await rm(folder, { recursive: true });
    }
  }, 600_000);
});
