import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Snapshot } from '@plimsoll/model';
import { encodeSnapshot } from '@plimsoll/reports';
import type { Client } from '@plimsoll/testing';
import { fleetModels, likeModel } from '../../../benches/bench-fleet.ts';
import { madeUpSystems } from './made-up-systems.ts';

/** The number of concurrent requests. */
const lanes = 4;
const jobsOfHosts = ['web', 'db', 'mail', 'ci', 'backup', 'cache', 'proxy', 'app'];

/** A seeded fleet, by host id. */
export interface SeededFleet {
  readonly reporting: readonly string[];
  /** Hosts that should appear silent for days. */
  readonly silent: readonly string[];
  readonly pending: number;
  readonly unreachable: number;
  readonly manual: number;
}

/** Imports records about every system of the fleet, and facts about their CVEs. */
export async function seedFeeds(client: Client, projectDir: string, now: Date): Promise<void> {
  await importFile(
    client,
    'osv',
    gunzipSync(await readFile(path.join(projectDir, 'examples/debian-advisories.jsonl.gz'))),
  );
  for (const { feed } of madeUpSystems(now))
    if (feed !== '') await importFile(client, 'osv', Buffer.from(feed));
  const day = now.toISOString().slice(0, 10);
  const kev = {
    title: 'Made-up catalog of known exploited vulnerabilities',
    catalogVersion: day,
    dateReleased: now,
  };
  const exploited = [{ cveID: 'CVE-2026-91002', dateAdded: day }];
  await importFile(
    client,
    'kev',
    Buffer.from(JSON.stringify({ ...kev, count: 1, vulnerabilities: exploited })),
  );
  const epss = [`#model_version:v2025.03.14,score_date:${day}T00:00:00+0000`, 'cve,epss,percentile'];
  await importFile(
    client,
    'epss',
    Buffer.from([...epss, 'CVE-2026-91002,0.71,0.99', 'CVE-2026-92002,0.12,0.93', ''].join('\n')),
  );
}

/**
 * Creates `count` hosts through the API: of every twenty, sixteen report (one of them some days ago), two wait for
 * approval, one is pulled over SSH from a nonexistent name, and one is manual without a report.
 */
export async function seedHosts(client: Client, count: number, now: Date): Promise<SeededFleet> {
  const real = await fleetModels('', new Set());
  const systems = [...real, ...real, ...madeUpSystems(now).map(({ snapshot }) => snapshot)];
  const silent: string[] = [];
  const reporting: string[] = [];
  const others = { pending: 0, unreachable: 0, manual: 0 };
  const make = async (number: number): Promise<void> => {
    const job = jobsOfHosts[number % jobsOfHosts.length] ?? '';
    const hostname = `${job}-${Math.floor(number / jobsOfHosts.length) + 1}.example.org`;
    const kind = number % 20;
    if (kind === 7 || kind === 13) {
      await enrolPending(client, hostname);
      others.pending += 1;
    } else if (kind === 11) {
      const id = await addHost(client, 'ssh', {
        ssh_user: 'plimsoll-pull',
        hostname: `${job}-${number}.invalid`,
      });
      await client.send('POST', `/hosts/${id}/pull-now`);
      others.unreachable += 1;
    } else if (kind === 17) {
      await addHost(client, 'manual', { hostname });
      others.manual += 1;
    } else {
      const model = systems[number % systems.length];
      if (model === undefined) throw new Error('there is no system to make hosts of');
      const id = await report(client, { model, number, hostname, now });
      const tags = [job, number % 3 === 0 ? 'staging' : 'production'];
      expectStatus(await client.send('PATCH', `/hosts/${id}`, { tags }), 200, `tags of ${hostname}`);
      (kind === 3 ? silent : reporting).push(id);
    }
  };
  const numbers = Array.from({ length: count }, (_, index) => index).values();
  const lane = async (): Promise<void> => {
    for (const number of numbers) await make(number);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return { reporting, silent, ...others };
}

async function report(
  client: Client,
  { model, number, hostname, now }: { model: Snapshot; number: number; hostname: string; now: Date },
): Promise<string> {
  const { id, token } = await client.enrol(hostname);
  const snapshot = { ...likeModel(model, number, hostname), collectedAt: now };
  expectStatus(await client.upload(token, encodeSnapshot(snapshot)), 202, `the report of ${hostname}`);
  return id;
}

async function enrolPending(client: Client, hostname: string): Promise<void> {
  const issued = await client.send('POST', '/registration-tokens', { name: hostname, auto_approve: false });
  const body = { registration_token: textOf(issued.body, 'token'), hostname, machine_id: `seed-${hostname}` };
  expectStatus(await client.send('POST', '/agent/register', body), 201, `enrolling ${hostname}`);
}

async function addHost(
  client: Client,
  way: 'ssh' | 'manual',
  body: { readonly hostname: string; readonly ssh_user?: string },
): Promise<string> {
  const answer = await client.send('POST', `/hosts/${way}`, { display_name: body.hostname, ...body });
  expectStatus(answer, 201, `adding ${body.hostname}`);
  const host = way === 'ssh' ? (answer.body as { host: unknown }).host : answer.body; // the contract's
  return textOf(host, 'id');
}

async function importFile(client: Client, format: string, file: Uint8Array): Promise<void> {
  expectStatus(await client.importFeed(file, '', format), 200, `import of ${format}`);
}

function expectStatus(
  { status, body }: { status: number; body: unknown },
  wanted: number,
  what: string,
): void {
  if (status !== wanted) throw new Error(`${what}: ${status} ${JSON.stringify(body)}`);
}

function textOf(body: unknown, name: string): string {
  const value = Object.entries(body ?? {}).find(([key]) => key === name)?.[1];
  if (typeof value !== 'string') throw new Error(`no ${name} in ${JSON.stringify(body)}`);
  return value;
}
