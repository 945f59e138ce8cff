/**
 * `npm run seed -- N`: fills a running service with N fictitious hosts, so that every page of the dashboard has
 * content, and with some hosts that have a past. Refuses if hosts exist, unless `--add` is given.
 */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { type Config, readConfig } from '@plimsoll/config';
import { appDatabaseUrl, openDatabase, roleNames } from '@plimsoll/db';
import { createFleet, readModels, seedFleet } from '@plimsoll/loadtest';
import { type Client, setUpClient, signInClient, testAdmin, waitFor } from '@plimsoll/testing';
import { findOwnerUrl } from '../../../apps/cli/src/service/running-database.ts';
import { withFeed } from './past-models.ts';
import { seedDecisions } from './seed-decisions.ts';
import { type SeededHost, seedFeeds, seedHosts, tagHosts } from './seed-fleet.ts';
import { everyStory } from './stories/every-story.ts';

const { PLIMSOLL_ROOT: projectDir = process.cwd(), ...settings } = process.env;
const usage =
  'usage: npm run seed -- N [--add] [--past-hosts 20] [--past-days 730] [--url URL] [--email EMAIL] [--password PASSWORD] [--database-url URL] [--owner-url URL]';
const limits = 'N is 1 to 5000; for more hosts see plimsoll loadtest --direct';
const say = (line: string): void => void process.stdout.write(`${line}\n`);

const { values, positionals } = readArguments();

async function open(url: string): Promise<Client> {
  const credentials = { email: values.email, password: values.password };
  const answer = await fetch(`${url}/api/v1/setup/status`).catch((cause: unknown) => {
    throw new Error(`no service answers at ${url}: start it with npm start or npm run dev`, { cause });
  });
  const { setup_required: isNew } = (await answer.json()) as { setup_required: boolean }; // the contract's type
  if (!isNew) return signInClient(url, credentials);
  say(`The first user: ${credentials.email}, password "${credentials.password}"`);
  return setUpClient(url, credentials);
}

/** The URL for the API's role, which may write contact times. */
async function databaseUrl(dataDir: string, prefix: string): Promise<string> {
  const given = values['database-url'];
  if (given !== undefined) return given;
  try {
    const ofCli = await readFile(path.join(dataDir, 'database.url'), 'utf8');
    const password = await readFile(path.join(dataDir, 'secrets/database/api/password'), 'utf8');
    return appDatabaseUrl(ofCli, roleNames(prefix).apps.api, password.trim());
  } catch (cause) {
    throw new Error(`${dataDir} has no database of a running service: name it with --database-url`, {
      cause,
    });
  }
}

/** Moves the newest contact of hosts into the past; no request of the API can do that. */
async function letBeSilent(url: string, hosts: readonly SeededHost[]): Promise<void> {
  const database = openDatabase({
    databaseUrl: url,
    poolSize: 1,
    applicationName: 'plimsoll seed',
    onIdleError: (error) => say(String(error)),
  });
  const sql = `UPDATE host_contacts SET last_seen_at = now() - make_interval(days => $2),
    last_confirmed_at = now() - make_interval(days => $2) WHERE host_id = $1`;
  try {
    for (const { id, story } of hosts)
      if (story.silentForDays !== undefined) await database.pool.query(sql, [id, story.silentForDays]);
  } finally {
    await database.close();
  }
}

async function seed(count: number): Promise<void> {
  const config = await readConfig({ env: settings, configPath: null, projectDir });
  const scheme = config['api.tls_cert_file'] === null ? 'http' : 'https';
  const database = await databaseUrl(config.data_dir, config['database.role_prefix']);
  const url = values.url ?? `${scheme}://127.0.0.1:${config['api.port']}`;
  const client = await open(url);
  const total = Number((await client.get('/hosts?limit=1')).headers.get('x-total-count'));
  if (total > 0 && !values.add)
    throw new Error(
      `The service already has ${total === 1 ? '1 host' : `${total} hosts`}: give --add to add the invented ones to them.`,
    );
  const now = new Date();
  const pastHosts = await seedPast(config, now);
  const stories = await everyStory(projectDir);
  await seedFeeds(client, projectDir, now);
  const fleet = await seedHosts(client, stories, { count, now });
  await allMatched(client, fleet.filter(hasReported));
  await letBeSilent(database, fleet);
  await tagHosts(client, pastHosts);
  // The policy needs a recent sign-in, and the hosts took long.
  await seedDecisions(await open(url));
  say(`Hosts made: ${fleet.length}, with ${Math.min(count, stories.length)} of ${stories.length} stories`);
  if (count < stories.length) say(`From ${stories.length} hosts on every page has something to show`);
}

/**
 * Adds hosts with a past, which only the owner of the database can write; says so if its URL is not known. Returns the
 * ids of the hosts.
 */
async function seedPast(config: Config, now: Date): Promise<readonly string[]> {
  const [hosts, days] = [Number(values['past-hosts']), Number(values['past-days'])];
  if (
    !(
      Number.isInteger(hosts) &&
      hosts >= 0 &&
      hosts <= 1_000 &&
      Number.isInteger(days) &&
      days >= 2 &&
      days <= 3_650
    )
  )
    throw new Error(`--past-hosts is 0 to 1000, --past-days 2 to 3650\n${usage}`);
  if (hosts === 0) return [];
  const databaseUrl = values['owner-url'] ?? (await findOwnerUrl(config).catch(() => null));
  if (databaseUrl === null) {
    say('No host has a past: name the database with --owner-url');
    return [];
  }
  const models = await readModels([
    path.join(projectDir, 'examples/debian-12.snapshot.pb.gz'),
    path.join(projectDir, 'packages/loadtest/models'),
  ]);
  const database = openDatabase({
    databaseUrl,
    poolSize: 16,
    applicationName: 'plimsoll seed',
    onIdleError: (error) => say(String(error)),
  });
  try {
    const fleet = createFleet({ models: models.map(withFeed), hosts, seed: 1 });
    say(`${hosts} hosts with a past of ${days} days, which takes minutes`);
    // The service runs: it may import the feeds of the hosts as soon as there are some.
    const { originals } = await seedFleet(database, fleet, {
      now,
      days,
      publish: 'first',
      payloads: true,
      say,
    });
    return originals;
  } finally {
    await database.close();
  }
}

function hasReported({ story: { door } }: SeededHost): boolean {
  if (door.kind === 'ssh') return false;
  return door.kind === 'manual' ? door.report !== null : door.snapshot !== null;
}

async function allMatched(client: Client, hosts: readonly SeededHost[]): Promise<void> {
  const waiting = [...hosts];
  const isMatched = async (): Promise<boolean> => {
    for (let host = waiting[0]; host !== undefined; host = waiting[0]) {
      const { body } = await client.get(`/hosts/${host.id}/uploads`);
      const uploads = body as readonly { state: string }[]; // the contract's type
      const state = uploads[0]?.state;
      if (state === 'rejected') throw new Error(`the report of "${host.story.title}" was rejected`);
      if (state !== 'matched') return false;
      waiting.shift();
    }
    return true;
  };
  await waitFor('every report to be matched', isMatched, { timeoutMs: 600_000 });
}

try {
  const count = Number(positionals[0]);
  if (values.help) {
    say(`${usage}\n${limits}`);
  } else {
    if (!Number.isInteger(count) || count < 1 || count > 5_000 || positionals.length > 1)
      throw new Error(`${usage}\n${limits}`);
    await seed(count);
  }
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        add: { type: 'boolean', default: false },
        url: { type: 'string' },
        email: { type: 'string', default: testAdmin.email },
        password: { type: 'string', default: testAdmin.password },
        'database-url': { type: 'string' },
        'owner-url': { type: 'string' },
        'past-hosts': { type: 'string', default: '20' },
        'past-days': { type: 'string', default: '730' },
        help: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n${usage}\n${limits}\n`);
    process.exit(64);
  }
}
