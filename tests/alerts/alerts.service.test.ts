import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
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
  ...missingCommands('prometheus', 'openssl'),
  ...(redisUrl === '' ? ['redis-server'] : []),
  ...(faketime === null ? ['libfaketime'] : []),
];

interface Found {
  readonly data?: { readonly result: readonly { readonly metric: Readonly<Record<string, string>> }[] };
}

describeWhere(missing, 'a Prometheus that scrapes a service', () => {
  it('reports nothing but what holds, and each fault that comes', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'plimsoll-alerts-'));
    const [cert, key] = [path.join(folder, 'cert.pem'), path.join(folder, 'key.pem')];
    const making = 'req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=localhost -keyout';
    execFileSync('openssl', [...making.split(' '), key, '-out', cert], { stdio: 'ignore' });
    const database = await createTestDatabase();
    const service = await startService({
      projectDir,
      databaseUrl: database.url,
      queue: { kind: 'redis', url: redisUrl },
      apps: ['api'],
      env: { PLIMSOLL_API_TLS_CERT_FILE: cert, PLIMSOLL_API_TLS_KEY_FILE: key },
    });
    const ports = new Map<ServiceApp, number>();
    const start = (app: ServiceApp, more: Readonly<Record<string, string>> = {}) =>
      service.start(app, { PLIMSOLL_WORKER_HEALTH_PORT: String(ports.get(app)), ...more });
    const address = `127.0.0.1:${await findFreePort()}`;
    let prometheus: ChildProcess | null = null;
    try {
      for (const app of serviceApps.slice(1)) {
        ports.set(app, await findFreePort());
        start(app);
      }
      const rules = await readFile(path.join(projectDir, 'deploy/prometheus/rules.yml'), 'utf8');
      // Feeds and rounds need their time.
      await writeFile(path.join(folder, 'rules.yml'), rules.replaceAll(/for: (?!3h)\S+/g, 'for: 3s'));
      const api = { targets: [new URL(service.url).host], labels: { __scheme__: 'https' } };
      const workers = { targets: [...ports.values()].map((port) => `127.0.0.1:${port}`) };
      const scraped = { job_name: 'plimsoll', tls_config: { insecure_skip_verify: true } };
      const config = {
        global: { scrape_interval: '1s', evaluation_interval: '1s' },
        rule_files: ['rules.yml'],
        scrape_configs: [{ ...scraped, static_configs: [api, workers] }],
      };
      await writeFile(path.join(folder, 'prometheus.json'), JSON.stringify(config));
      const args = [`--config.file=${folder}/prometheus.json`, `--storage.tsdb.path=${folder}/data`];
      prometheus = spawn('prometheus', [...args, `--web.listen-address=${address}`], { stdio: 'ignore' });

      /** The values of a label in the answer to a question. */
      const ask = async (query: string, label: string): Promise<readonly string[]> => {
        const url = `http://${address}/api/v1/query?query=${encodeURIComponent(query)}`;
        // Its API, v1; no answer while it starts.
        const found = await fetch(url)
          .then(async (answer) => (await answer.json()) as Found)
          .catch(() => null);
        const result = found?.data?.result ?? [];
        return [...new Set(result.map(({ metric }) => metric[label] ?? ''))].sort();
      };
      // For five seconds, so that it is steady.
      const firing = () => ask('max_over_time(ALERTS{alertstate="firing"}[5s])', 'alertname');
      /** Waits until these fire; `alone`: and no others but what holds in a service without a backup. */
      const fires = async (alerts: readonly string[], { alone }: { readonly alone: boolean }) => {
        const wanted = [
          ...alerts,
          ...(alone ? ['PlimsollBackupMissing', 'PlimsollCertificateEnds'] : []),
        ].sort();
        let found: readonly string[] = [];
        const isThere = async () => {
          found = await firing();
          return wanted.every((name) => found.includes(name)) && (!alone || found.length === wanted.length);
        };
        // The comparison shows what fires instead.
        await waitFor(String(wanted), isThere).catch(() => expect(found).toEqual(wanted));
      };

      const absent: string[] = [];
      await fires([], { alone: true });
      for (const name of Object.keys(healthySeries))
        if ((await ask(`count(${name})`, '')).length === 0) absent.push(name);
      expect(absent).toEqual([]);

      for (const process of service.processes('report-worker')) process.kill('SIGKILL');
      await fires(['PlimsollAppMissing', 'PlimsollTargetDown'], { alone: true });
      start('report-worker', {
        LD_PRELOAD: path.join(faketime ?? '', 'libfaketimeMT.so.1'),
        FAKETIME: '+60',
      });
      await fires(['PlimsollClockOff'], { alone: true });
      await createRoundStore(database.db).noteFailure('back up', 'The disk is full.');
      await fires(['PlimsollBackupOld'], { alone: false });
      const name = new URL(database.url).pathname.slice(1);
      await database.db.pool.query(`ALTER DATABASE ${name} CONNECTION LIMIT 0`);
      await database.db.pool.query(
        'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND usename <> current_user',
        [name],
      );
      await fires(['PlimsollDatabaseAway', 'PlimsollDatabaseErrors', 'PlimsollSeriesMissing'], {
        alone: false,
      });
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
