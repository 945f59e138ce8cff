import { getEventListeners, once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { wholeFleet } from '@plimsoll/model';
import { createMetrics } from '@plimsoll/process';
import { folderPerFile, waitFor } from '@plimsoll/testing';
import { createApp } from '../src/create-app.ts';
import { createEvidenceSecrets } from '../src/evidence/evidence-secrets.ts';
import {
  type FromReader,
  type LargeReadId,
  piecesAhead,
  type ReaderSettings,
  type ReadQuestion,
} from '../src/reads/read-messages.ts';
import { createReader } from '../src/reads/reader.ts';
import { createHttpServer } from '../src/server/http-server.ts';
import { carryOut } from '../src/serving/carry-out.ts';
import { type ApiUnderTest, jwtSecretKey, setUp, startApi } from './api-under-test.ts';
import { type CheckedClient, createCheckedClient } from './checked-client.ts';
import { debianPackage, debianRecord, reportingHost } from './debian-fleet.ts';
import { importOsv } from './pipeline.ts';
import { connectRaw } from './raw-client.ts';

const built = path.resolve(__dirname, '../dist/serving/read-thread.js');
const advisory = 'DEBIAN-CVE-2024-0001';
const manyPackages = 3_000;

let api: ApiUnderTest;
let hostId: string;
let otherId: string;
let savedPlanId: string;
let bulletinId: string;
const folder = folderPerFile();

beforeAll(async () => {
  api = await startApi();
  await setUp(api);
  await importOsv(api.database, [debianRecord(advisory, 'openssh', { fixed: '2', cves: ['CVE-2024-0001'] })]);
  otherId = (await reportingHost(api, 'small', { packages: [debianPackage('openssh', '2')] })).id;
  const filling = Array.from({ length: manyPackages }, (_, n) => debianPackage(`filling-${n}`, '1'));
  const host = await reportingHost(api, 'large', {
    packages: [debianPackage('openssh', '1'), ...filling],
  });
  hostId = host.id;
  savedPlanId = (await api.admin.post('/api/v1/saved-plans', { json: { name: 'Monday', hosts: [hostId] } }))
    .body.id;
  bulletinId = await addBulletin();
});

/** A report by mail; its channel needs no sealed secret. */
async function addBulletin(): Promise<string> {
  const { rows } = await api.database.db.pool.query<{ id: string }>(
    `INSERT INTO notification_channels (id, name, kind, addresses, is_limited, created_by)
     VALUES (gen_random_uuid(), 'Mail', 'email', '{a@example.org}', false, 'test') RETURNING id`,
  );
  const json = { name: 'n', channel_id: rows[0]?.id, every: 'day', at: '08:00', time_zone: 'UTC' };
  return (await api.admin.post('/api/v1/bulletins', { json })).body.id;
}
afterAll(async () => {
  await api.stop();
});

interface Served {
  readonly client: CheckedClient;
  readonly url: string;
}

const settings = (): ReaderSettings => ({
  databaseUrl: api.database.urlOf('api'),
  poolSize: 4,
  statementLimitMs: 30_000,
  tokenSecrets: [jwtSecretKey],
});

/** Runs `work` with an API whose large reads run in a thread with the given file. */
async function reading(file: string, work: (served: Served) => Promise<void>): Promise<void> {
  const reader = createReader(file, settings(), api.log.logger);
  const app = createApp({ ...api.context, metrics: createMetrics(), reader });
  const server = createHttpServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const { port } = server.address() as AddressInfo; // It listens on TCP.
    await work({ client: createCheckedClient(server), url: `http://127.0.0.1:${port}` });
  } finally {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
    await reader.stop();
  }
}

/** The path to read for each large read. */
const paths: Readonly<
  Record<
    Exclude<
      LargeReadId,
      | 'lookupCves'
      | 'previewDuePolicy'
      | 'previewOriginRules'
      | 'previewTagRules'
      | 'exportSelectedHosts'
      | 'getSnapshot'
      | 'makePlan'
      | 'makeEvidence'
      | 'savePlan'
      | 'createWaiver'
      | 'importWaivers'
      | 'getWaiver'
      | 'updateWaiver'
    >,
    () => string
  >
> = {
  listAdvisories: () => 'advisories?affected=true&include_hosts=true',
  previewBulletin: () => `bulletins/${bulletinId}/preview`,
  getAdvisory: () => `advisories/${advisory}`,
  listAffectedHosts: () => `advisories/${advisory}/hosts`,
  listUnjudgedHosts: () => `advisories/${advisory}/unknown-hosts`,
  exportAffectedHosts: () => `advisories/${advisory}/hosts.csv`,
  getCve: () => 'cves/CVE-2024-0001',
  listCveHosts: () => 'cves/CVE-2024-0001/hosts',
  listCveExposures: () => 'cves/CVE-2024-0001/exposures?limit=1',
  search: () => 'search?q=a',
  listTags: () => 'tags?q=w',
  getCveProgress: () => 'cves/CVE-2024-0001/progress',
  exportCveHosts: () => 'cves/CVE-2024-0001/hosts.csv',
  listPackageNames: () => 'package-names?q=openssh',
  exportPackageHosts: () => 'packages.csv?name=openssh&version_lt=2',
  listPackageHosts: () => 'packages?name=openssh&version_lt=2',
  listFindings: () => 'findings?group_by=package',
  exportFindings: () => 'findings.csv',
  getTimeToPatch: () => 'fleet/time-to-patch?from=2020-01-01T00:00:00Z&to=2021-01-01T00:00:00Z',
  getFleetTrend: () => 'fleet/trend?days=3&tag=web&tag=db',
  listHosts: () => 'hosts',
  listGroups: () => 'groups',
  exportHosts: () => 'hosts.csv',
  listHostIds: () => 'hosts/ids?status=active',
  getAnsibleInventory: () => 'inventory/ansible',
  getLatestSnapshot: () => `hosts/${hostId}/snapshot`,
  listVulnerablePackages: () => `hosts/${hostId}/packages/vulnerable`,
  listUpgradablePackages: () => `hosts/${hostId}/packages/upgradable`,
  listPackages: () => `hosts/${hostId}/packages`,
  getKernelPosture: () => `hosts/${hostId}/kernel-posture`,
  getHostChanges: () => `hosts/${hostId}/changes?to=2026-01-01T00:00:00Z`,
  listHostExposures: () => `hosts/${hostId}/exposures`,
  compareHosts: () => `hosts/compare?a=${hostId}&b=${otherId}`,
  findOddHosts: () => 'hosts/odd-ones-out',
  getUpgradePlan: () => `hosts/${hostId}/plan`,
  getHostSbom: () => `hosts/${hostId}/sbom`,
  getHostVex: () => `hosts/${hostId}/vex?format=openvex`,
  getFleetVex: () => 'vex?format=openvex',
  getSavedPlan: () => `saved-plans/${savedPlanId}`,
  getPlanProgress: () => `saved-plans/${savedPlanId}/progress`,
  explainPackage: () => `hosts/${hostId}/packages/openssh/explain?advisory=${advisory}`,
  listDisagreements: () => `hosts/${hostId}/disagreements`,
  listRepositories: () => 'repositories',
  listWaivers: () => 'waivers?state=active',
};

/** The headers that two answers to the same request have in common. */
function lasting({ 'x-request-id': _id, date: _date, ...headers }: Record<string, string>) {
  return headers;
}

describe('large reads in a thread', () => {
  it('sign evidence with the key of the service', () =>
    reading(built, async ({ client, url }) => {
      const where = `${url}/api/v1/evidence?host=${hostId}&from=2020-01-01T00:00:00Z`;
      const answer = await fetch(where, { headers: { Authorization: `Bearer ${api.admin.token}` } });
      const bytes = Buffer.from(await answer.arrayBuffer());
      expect([answer.status, bytes.subarray(0, 2).toString()]).toEqual([200, 'PK']);
      const keys = await client.get('/api/v1/evidence/keys', { token: api.admin.token });
      expect(keys.body).toHaveLength(1);
    }));

  it('are answered as without one', () =>
    reading(built, async ({ client }) => {
      const asked = Object.entries(paths).map(([id, pathOf]) => ({ id, where: `/api/v1/${pathOf()}` }));
      for (const { id, where } of asked) {
        const [beside, here] = [
          await client.get(where, { token: api.admin.token }),
          await api.admin.get(where),
        ];
        expect([id, beside.status, lasting(beside.headers)]).toEqual([id, 200, lasting(here.headers)]);
        const withoutNow = (text: string) => text.replace(/"(as_of|timestamp)":"[^"]*"/, '');
        expect([id, withoutNow(beside.text)]).toEqual([id, withoutNow(here.text)]);
      }
      const planned = { token: api.admin.token, json: { hosts: [hostId] } };
      const plan = await client.post('/api/v1/plans', planned);
      const here = await api.post('/api/v1/plans', planned);
      expect({ ...plan.body, made_at: '' }).toEqual({ ...here.body, made_at: '' });
      const json = { ids: ['CVE-2024-0001'] };
      const looked = await client.post('/api/v1/cves/lookup', { token: api.admin.token, json });
      expect(looked.body).toEqual((await api.admin.post('/api/v1/cves/lookup', { json })).body);
    }));

  it('use the content type that the client prefers, and answer errors as without one', () =>
    reading(built, async ({ client, url }) => {
      const { id } = (await client.get(`/api/v1/hosts/${hostId}/snapshot`, { token: api.admin.token })).body;
      const bytesOf = async (base: string) => {
        const headers = { Accept: 'application/x-protobuf', Authorization: `Bearer ${api.admin.token}` };
        const response = await fetch(`${base}/api/v1/hosts/${hostId}/snapshots/${id}`, { headers });
        expect(response.headers.get('content-type')).toBe('application/x-protobuf');
        return Buffer.from(await response.arrayBuffer()).toString('base64');
      };
      expect(await bytesOf(url)).toBe(await bytesOf(api.url));
      const unknownHost = '/api/v1/hosts/00000000-0000-4000-8000-000000000000/packages';
      const missing = await client.get(unknownHost, { token: api.admin.token });
      const { request_id: _, ...problem } = (await api.admin.get(unknownHost)).body;
      expect([missing.status, missing.body]).toMatchObject([404, problem]);
    }));

  it('are what readiness also looks at: 503 while the thread has no connection', async () => {
    const { pool } = api.database.db;
    const name = new URL(api.database.url).pathname.slice(1);
    await pool.query(`ALTER DATABASE ${name} CONNECTION LIMIT 0`);
    try {
      await reading(built, async ({ client }) => {
        expect((await client.get('/api/v1/hosts', { token: api.admin.token })).status).toBe(503);
        const detail = 'The database has no free connection. Try again later.';
        expect((await client.get('/readyz')).body.errors).toEqual([{ pointer: '/database', detail }]);
      });
    } finally {
      await pool.query(`ALTER DATABASE ${name} CONNECTION LIMIT -1`);
    }
  });

  it('answer HEAD without a body, and give back the place among large reads', () =>
    reading(built, async ({ url }) => {
      const headers = { Authorization: `Bearer ${api.admin.token}` };
      for (let turn = 0; turn < api.context.settings.largeReadLimits.perUser + 2; turn += 1) {
        const response = await fetch(`${url}/api/v1/hosts/${hostId}/packages`, { method: 'HEAD', headers });
        expect([response.status, await response.text()]).toEqual([200, '']);
      }
    }));
});

/** A thread file for a test, which gets each message as `message`. */
async function threadOf(name: string, onRead: string): Promise<string> {
  const file = path.join(folder, `${name}.cjs`);
  const lines = [
    "const { parentPort } = require('node:worker_threads');",
    "parentPort.on('message', (message) => {",
    "  if (message.kind === 'stop') process.exit(0);",
    "  if (message.kind !== 'read') return;",
    '  const { read, question } = message;',
    `  ${onRead}`,
    '});',
  ];
  await writeFile(file, lines.join('\n'));
  return file;
}

const answerOne = `
  const headers = question.operation === 'listHosts' ? { 'Plimsoll-Gaps': '' } : {};
  parentPort.postMessage({ kind: 'head', read, head: { status: 200, headers, type: 'application/json; charset=utf-8', length: 2 } });
  parentPort.postMessage({ kind: 'piece', read, bytes: Buffer.from('[]') });
  parentPort.postMessage({ kind: 'end', read });`;

describe('the API', () => {
  it('answers other requests while a read keeps its thread busy', async () => {
    // It continues once a file exists, which is written after the other answers.
    const busy = await threadOf(
      'busy',
      `while (!require('node:fs').existsSync(${JSON.stringify(path.join(folder, 'go'))})); ${answerOne}`,
    );
    await reading(busy, async ({ client, url }) => {
      const read = client.get('/api/v1/repositories', { token: api.admin.token });
      const response = await fetch(`${url}/healthz`);
      expect(response.status).toBe(200);
      expect((await client.get('/api/v1/auth/me', { token: api.admin.token })).status).toBe(200);
      await writeFile(path.join(folder, 'go'), '');
      expect((await read).body).toEqual([]);
    });
  });

  it('answers 503 to a read whose thread breaks, and runs the next one in another thread', async () => {
    const brittle = await threadOf(
      'brittle',
      `if (question.query?.q === 'break') process.exit(3); ${answerOne}`,
    );
    await reading(brittle, async ({ client }) => {
      const broken = await client.get('/api/v1/hosts?q=break', { token: api.admin.token });
      expect([broken.status, broken.body.code, broken.headers['retry-after']]).toEqual([
        503,
        'unavailable',
        '5',
      ]);
      expect((await client.get('/api/v1/hosts', { token: api.admin.token })).body).toEqual([]);
    });
  });

  it('breaks off an answer whose thread breaks midway', async () => {
    const half = await threadOf(
      'half',
      `parentPort.postMessage({ kind: 'head', read, head: { status: 200, headers: {}, type: 'application/json; charset=utf-8', length: 9 } });
       parentPort.postMessage({ kind: 'piece', read, bytes: Buffer.from('[') });
       parentPort.on('message', ({ kind }) => { if (kind === 'more') setTimeout(() => process.exit(3), 50); });`,
    );
    await reading(half, async ({ url }) => {
      const headers = { Authorization: `Bearer ${api.admin.token}` };
      const response = await fetch(`${url}/api/v1/repositories`, { headers });
      await expect(response.text()).rejects.toThrow('terminated');
    });
  });

  it('forgets a read that its thread cannot be given', async () => {
    const reader = createReader(await threadOf('unused', ''), settings(), api.log.logger);
    const { signal } = new AbortController();
    const uncopied = { body: () => undefined } as unknown as ReadQuestion;
    await expect(reader.answer(uncopied, signal)).rejects.toThrow('could not be cloned');
    expect(getEventListeners(signal, 'abort')).toEqual([]);
    await reader.stop();
  });

  it('informs the thread when a client disconnects', async () => {
    const told = path.join(folder, 'told');
    const patient = await threadOf(
      'patient',
      `parentPort.on('message', (later) => {
         if (later.kind !== 'gone' || later.read !== read) return;
         require('node:fs').writeFileSync(${JSON.stringify(told)}, 'gone');
         parentPort.postMessage({ kind: 'end', read });
       });
       require('node:fs').writeFileSync(${JSON.stringify(told)}, 'asked');`,
    );
    const said = () => readFile(told, 'utf8').catch(() => '');
    await reading(patient, async ({ url }) => {
      const ask = `GET /api/v1/repositories HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${api.admin.token}\r\n\r\n`;
      const client = await connectRaw(url, ask);
      await waitFor('the thread to be asked', async () => (await said()) === 'asked');
      client.close();
      await waitFor('the thread to be told', async () => (await said()) === 'gone');
    });
  });
});

it('a read sends no more pieces than its client takes', async () => {
  const question: ReadQuestion = {
    operation: 'listPackages',
    params: { id: hostId },
    query: {},
    headers: null,
    body: null,
    // All that the handler reads of its caller.
    caller: { scope: wholeFleet } as ReadQuestion['caller'],
    address: '127.0.0.1',
    userAgent: '',
    requestId: 'test',
    origin: 'https://plimsoll.example',
    preferredType: 'application/json',
    now: new Date(),
  };
  const sent: FromReader[] = [];
  const read = carryOut(1, question, {
    stores: api.context.stores,
    evidenceSecrets: createEvidenceSecrets(api.context.stores.evidenceKeys, [jwtSecretKey]),
    send: (message) => void sent.push(message),
  });
  const pieces = () => sent.filter(({ kind }) => kind === 'piece').length;
  for (let taken = 0; taken < 5; taken += 1) {
    await waitFor('the pieces ahead', () => pieces() === piecesAhead + taken);
    read.more();
  }
  await waitFor('the last piece', () => pieces() === piecesAhead + 5);
  expect(sent.at(-1)?.kind).toBe('piece');
  read.gone();
  await read.over;
  expect([sent[0]?.kind, sent.at(-1)?.kind, pieces()]).toEqual(['head', 'end', piecesAhead + 5]);
});
