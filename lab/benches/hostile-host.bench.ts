// A hostile host among others, and a whole fleet at once, against the service as `npm start` runs it. The attack
// continues while every other host reports twice; then the hostile host is deleted. A fleet returns after an outage,
// from one address: first with changes, then unchanged. Last, a registration token is abused: pending hosts enrol with
// it and send new package versions, while some approved hosts report. A number of 0 omits a part. `npm run bench --
// hostile-host [HOSTS] [AGENTS] [PENDING]`
import { randomBytes } from 'node:crypto';
import { Agent, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { createUnusedRowStore } from '@plimsoll/db';
import type { Snapshot } from '@plimsoll/model';
import { encodeSnapshot } from '@plimsoll/reports';
import { type Client, type EnrolledHost, textOf } from '@plimsoll/testing';
import { exampleModel, waitingHosts } from './bench-fleet.ts';
import { type BenchService, elapsed, say, withBenchService, withDatabase } from './bench-service.ts';
import { attack, headersOf, newVersions } from './hostile-host.ts';
import { percentiles } from './percentiles.ts';

const [hostCount = '200', agentCount = '5000', pendingCount = '300'] = process.argv.slice(2);
/** Concurrent reports of the others: 200 hosts that report within half a minute. */
const othersAtOnce = 4;
/** Connections of the returning fleet; its agents wait for one, as behind a load balancer. */
const waveConnections = 500;
/**
 * Approved hosts that report while pending ones attack, and the packages in each of the attackers' reports, new every
 * time.
 */
const reportingHosts = 30;
const packagesOfPending = 2_000;
let reports = 0;

await withBenchService(async (bench) => {
  const model = await exampleModel();
  await measureHostile(bench, model, Number(hostCount));
  await measureWave(bench, model, Number(agentCount));
  await measureLeakedToken(bench, model, Number(pendingCount));
});

async function measureHostile(bench: BenchService, model: Snapshot, hosts: number) {
  const { client, service } = bench;
  if (hosts === 0) return;
  const others = await enrolAll(client, hosts, 'other');
  const hostile = await client.enrol('hostile');
  await reportAll(service.url, others, model, 'nobody attacks');
  const before = await rowsOf(bench);
  const attacker = attack(service.url, hostile.token, model);
  // Only now: making the attacker's data occupies this process for some seconds.
  const stopProbe = probe(service.url);
  await delay(2_000);
  await reportAll(service.url, others, model, 'one host attacks');
  attacker.sendSlowlyToo();
  await delay(2_000);
  await reportAll(service.url, others, model, 'one host attacks, slow connections as well');
  say(`healthz meanwhile: ${percentiles(await stopProbe())}`);
  const statuses = [...(await attacker.stop())].sort(([a], [b]) => a - b);
  say(`the hostile host was answered ${statuses.map(([status, times]) => `${status}: ${times}`).join(', ')}`);
  await measureDeletion(bench, hostile, before);
}

async function measureDeletion(bench: BenchService, hostile: EnrolledHost, before: Rows) {
  const attacked = await rowsOf(bench);
  await bench.client.send('DELETE', `/hosts/${hostile.id}`);
  const seconds = await withDatabase(bench, async (db) => {
    const startedAt = performance.now();
    for (let look = 0; look < 4; look++) await createUnusedRowStore(db).collect();
    const taken = elapsed(startedAt);
    await db.pool.query('VACUUM package_versions, package_sets, upgrades');
    return taken;
  });
  const after = await rowsOf(bench);
  say(
    `package versions before, attacked, after: ${before.versions}, ${attacked.versions}, ${after.versions}`,
  );
  say(`package sets: ${before.sets}, ${attacked.sets}, ${after.sets}; four looks took ${seconds} s`);
  say(
    `database in MB: ${before.megabytes}, ${attacked.megabytes}, ${after.megabytes} (the files keep their room)`,
  );
}

async function measureWave({ client, service }: BenchService, model: Snapshot, agents: number) {
  if (agents === 0) return;
  const fleet = await enrolAll(client, agents, 'agent');
  const bodies = fleet.map((_, index) => bodyOf(model, `wave-${index}`, index));
  for (const what of ['something new each', 'unchanged']) {
    const stopProbe = probe(service.url);
    const startedAt = performance.now();
    const answers = await sendAll(service.url, fleet, bodies, waveConnections);
    const accepted = elapsed(startedAt);
    while ((await waitingHosts(client)) > 0) await delay(100);
    const refused = answers.filter(({ status }) => status !== 202).length;
    say(
      `${agents} agents at once, ${what}: accepted in ${accepted} s, matched in ${elapsed(startedAt)} s, refused ${refused}, answer ${percentiles(answers.map(({ ms }) => ms))}`,
    );
    say(`healthz meanwhile: ${percentiles(await stopProbe())}`);
  }
}

async function measureLeakedToken(bench: BenchService, model: Snapshot, hosts: number) {
  const { client, service } = bench;
  if (hosts === 0) return;
  const others = await enrolAll(client, reportingHosts, 'approved');
  await reportAll(service.url, others, model, 'no token leaked');
  const before = await rowsOf(bench);
  const pending = await enrolPending(client, service.url, hosts);
  const bodies = pending.map((_, index) => gzipSync(newVersions(model, packagesOfPending, index)));
  const stopProbe = probe(service.url);
  const startedAt = performance.now();
  const attacking = sendAll(service.url, pending, bodies, hosts);
  for (const what of ['first', 'second', 'third'])
    await reportAll(service.url, others, model, `${pending.length} pending hosts attack, ${what} report`);
  const answers = await attacking;
  const taken = answers.filter(({ status }) => status === 202).length;
  say(`${taken} uploads of pending hosts taken, after ${elapsed(startedAt)} s`);
  say(`healthz meanwhile: ${percentiles(await stopProbe())}`);
  const after = await rowsOf(bench);
  say(`package versions before and after: ${before.versions}, ${after.versions}`);
  say(`database in MB before and after: ${before.megabytes}, ${after.megabytes}`);
}

/** Enrols hosts with one token, all at once, retrying as needed; the token approves nothing. */
async function enrolPending(client: Client, url: string, count: number): Promise<readonly EnrolledHost[]> {
  const issued = await client.send('POST', '/registration-tokens', { name: 'leaked', max_uses: count });
  const token = textOf(issued.body, 'token');
  const hosts: EnrolledHost[] = [];
  for (let wave = 1; hosts.length < count; wave++) {
    const answers = await Promise.all(
      Array.from({ length: count - hosts.length }, async () => {
        const response = await fetch(`${url}/api/v1/agent/register`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify({
            registration_token: token,
            hostname: 'pending',
            machine_id: randomBytes(16).toString('hex'),
          }),
        });
        return { status: response.status, body: await response.json() };
      }),
    );
    for (const { status, body } of answers)
      if (status === 201)
        hosts.push({ id: textOf(body, 'host_id'), token: textOf(body, 'host_access_token') });
    if (wave === 1) say(`of ${count} hosts that enrolled at once with one token ${hosts.length} were let in`);
    await delay(1_000);
  }
  return hosts;
}

async function enrolAll(client: Client, count: number, name: string): Promise<readonly EnrolledHost[]> {
  const hosts: EnrolledHost[] = [];
  const numbers = Array.from({ length: count }, (_, index) => index).values();
  const lane = async () => {
    for (const number of numbers) hosts[number] = await client.enrol(`${name}-${number}`);
  };
  await Promise.all(Array.from({ length: 8 }, lane));
  return hosts;
}

/** Each host reports a change and waits until it is matched. */
async function reportAll(url: string, hosts: readonly EnrolledHost[], model: Snapshot, what: string) {
  reports += 1;
  const bodies = hosts.map((_, index) => bodyOf(model, `own-${reports}`, index));
  const answers = await sendAll(url, hosts, bodies, othersAtOnce, { Prefer: 'wait=30' });
  const refused = answers.filter(({ status }) => status >= 400).length;
  const late = answers.filter(({ status }) => status === 202).length;
  say(
    `${hosts.length} hosts, ${what}: until matched ${percentiles(answers.map(({ ms }) => ms))}, later than 30 s ${late}, refused ${refused}`,
  );
}

/** A real machine with one package of its own. */
function bodyOf(model: Snapshot, name: string, index: number): Buffer {
  const [first] = model.packages;
  if (first === undefined) throw new Error('the model has no package');
  const packages = [...model.packages, { ...first, name, version: `1.${index}` }];
  return gzipSync(encodeSnapshot({ ...model, packages }), { level: 1 });
}

interface Timed {
  readonly status: number;
  readonly ms: number;
}

async function sendAll(
  url: string,
  hosts: readonly EnrolledHost[],
  bodies: readonly Buffer[],
  connections: number,
  headers: Readonly<Record<string, string>> = {},
): Promise<readonly Timed[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const answers: Timed[] = [];
  const queue = hosts.entries();
  const lane = async () => {
    for (const [index, { token }] of queue) {
      answers.push(
        await exchange(
          `${url}/api/v1/agent/snapshots`,
          agent,
          { ...headersOf(token), ...headers },
          bodies[index] ?? null,
        ),
      );
    }
  };
  await Promise.all(Array.from({ length: connections }, lane));
  agent.destroy();
  return answers;
}

function exchange(
  url: string,
  agent: Agent,
  headers: Record<string, string>,
  body: Buffer | null,
): Promise<Timed> {
  const startedAt = performance.now();
  return new Promise((resolve) => {
    const end = (status: number) => resolve({ status, ms: performance.now() - startedAt });
    const length = body === null ? {} : { 'Content-Length': String(body.length) };
    const sending = request(url, {
      agent,
      method: body === null ? 'GET' : 'POST',
      headers: { ...headers, ...length },
    });
    sending.on('response', (response) => response.resume().on('end', () => end(response.statusCode ?? 0)));
    // Counted with the refused ones.
    sending.on('error', () => end(599));
    sending.end(body ?? undefined);
  });
}

/** Requests /healthz forty times a second; returns the times when it is stopped. */
function probe(url: string): () => Promise<readonly number[]> {
  const agent = new Agent({ keepAlive: true });
  const times: number[] = [];
  let isOver = false;
  const running = (async () => {
    while (!isOver) {
      const { status, ms } = await exchange(`${url}/healthz`, agent, {}, null);
      times.push(status === 200 ? ms : Number.POSITIVE_INFINITY);
      await delay(25);
    }
    agent.destroy();
  })();
  return async () => {
    isOver = true;
    await running;
    return times;
  };
}

interface Rows {
  readonly versions: number;
  readonly sets: number;
  readonly megabytes: number;
}

async function rowsOf(bench: BenchService): Promise<Rows> {
  const { rows } = await withDatabase(bench, ({ pool }) =>
    pool.query<Rows>(
      `SELECT (SELECT count(*)::int FROM package_versions) AS versions, (SELECT count(*)::int FROM package_sets) AS sets,
              (pg_database_size(current_database()) / 1000000)::int AS megabytes`,
    ),
  );
  const [row] = rows;
  if (row === undefined) throw new Error('no row');
  return row;
}
