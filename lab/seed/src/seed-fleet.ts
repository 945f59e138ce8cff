import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { encodeSnapshot } from '@plimsoll/reports';
import { type Answer, type Client, textOf } from '@plimsoll/testing';
import { madeUpFeeds } from './made-up-feeds.ts';
import { storyOf } from './stories/every-story.ts';
import type { Story, StoryDoor } from './stories/story.ts';

/** The number of concurrent requests. */
const lanes = 4;
/** Attempts of a request that the service answers with 429 or 503. */
const attempts = 10;
const jobsOfHosts = ['web', 'db', 'mail', 'ci', 'backup', 'cache', 'proxy', 'app'];

/** A seeded host. */
export interface SeededHost {
  readonly id: string;
  readonly story: Story;
}

/** A host with its number, from 0, in all its requests. */
interface HostToMake {
  readonly number: number;
  readonly story: Story;
  readonly hostname: string;
  readonly now: Date;
}

/** Imports records about every system of the fleet, facts about their CVEs, and the records of examples/. */
export async function seedFeeds(client: Client, projectDir: string, now: Date): Promise<void> {
  const example = await readFile(path.join(projectDir, 'examples/debian-advisories.jsonl.gz'));
  const debian = { format: 'osv', query: '', file: gunzipSync(example) };
  for (const { format, query, file } of [debian, ...madeUpFeeds(now)])
    expectStatus(await client.importFeed(file, query, format), 200, `import of ${format}`);
}

/** Creates `count` hosts through the API, by storyOf; returns them in no order. */
export async function seedHosts(
  client: Client,
  stories: readonly Story[],
  { count, now }: { readonly count: number; readonly now: Date },
): Promise<readonly SeededHost[]> {
  const made: SeededHost[] = [];
  const numbers = Array.from({ length: count }, (_, index) => index).values();
  const lane = async (): Promise<void> => {
    for (const number of numbers) {
      const job = jobsOfHosts[number % jobsOfHosts.length] ?? '';
      const hostname = `${job}-${Math.floor(number / jobsOfHosts.length) + 1}.example.org`;
      const story = storyOf(stories, number);
      const id = await makeHost(client, { number, story, hostname, now });
      const change = { display_name: `${hostname.split('.')[0]}: ${story.title}`, tags: tagsOf(number) };
      const answer = await whileBusy(() => client.send('PATCH', `/hosts/${id}`, change));
      expectStatus(answer, 200, `tags of ${hostname}`);
      made.push({ id, story });
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return made;
}

/** Tags hosts by their position, as those of seedHosts. */
export async function tagHosts(client: Client, ids: readonly string[]): Promise<void> {
  for (const [number, id] of ids.entries()) {
    const answer = await whileBusy(() => client.send('PATCH', `/hosts/${id}`, { tags: tagsOf(number) }));
    expectStatus(answer, 200, `tags of host ${id}`);
  }
}

function tagsOf(number: number): readonly string[] {
  return [jobsOfHosts[number % jobsOfHosts.length] ?? '', number % 3 === 0 ? 'staging' : 'production'];
}

async function makeHost(client: Client, host: HostToMake): Promise<string> {
  const { door } = host.story;
  switch (door.kind) {
    case 'agent':
    case 'pending':
      return enrol(client, host, door);
    case 'ssh': {
      const hostname = host.hostname.replace('example.org', 'invalid');
      const answer = await client.send('POST', '/hosts/ssh', {
        display_name: hostname,
        hostname,
        ssh_user: 'plimsoll-pull',
      });
      expectStatus(answer, 201, `adding ${hostname}`);
      const id = textOf((answer.body as { host: unknown }).host, 'id'); // the contract's type
      expectStatus(await client.send('POST', `/hosts/${id}/pull-now`), 202, `pulling ${hostname}`);
      return id;
    }
    case 'manual': {
      const { hostname } = host;
      const answer = await client.send('POST', '/hosts/manual', { display_name: hostname, hostname });
      expectStatus(answer, 201, `adding ${hostname}`);
      const id = textOf(answer.body, 'id');
      if (door.report !== null) await bringReport(client, id, door.report);
      return id;
    }
  }
}

async function enrol(
  client: Client,
  { number, story, hostname, now }: HostToMake,
  door: Extract<StoryDoor, { kind: 'agent' | 'pending' }>,
): Promise<string> {
  const token = { name: hostname, auto_approve: door.kind === 'agent' };
  const issued = await client.send('POST', '/registration-tokens', token);
  const machineId = (story.isClone === true ? 0 : number).toString(16).padStart(32, '5eed');
  const enrolled = await client.send('POST', '/agent/register', {
    registration_token: textOf(issued.body, 'token'),
    hostname,
    machine_id: machineId,
  });
  expectStatus(enrolled, 201, `enrolling ${hostname}`);
  if (door.snapshot !== null) {
    const silentMs = (story.silentForDays ?? 0) * 86_400_000;
    const { platform, ...rest } = door.snapshot(new Date(now.getTime() - silentMs));
    const ipAddresses = [`10.20.${Math.floor(number / 250)}.${(number % 250) + 1}`];
    const snapshot = { ...rest, platform: { ...platform, hostname, machineId, ipAddresses } };
    const hostToken = textOf(enrolled.body, 'host_access_token');
    const answer = await whileBusy(() => client.upload(hostToken, encodeSnapshot(snapshot)));
    expectStatus(answer, 202, `the report of ${hostname}`);
  }
  return textOf(enrolled.body, 'host_id');
}

async function bringReport(client: Client, id: string, report: Uint8Array): Promise<void> {
  const text = Buffer.from(report).toString('utf8');
  const answer = await whileBusy(() => client.sendText(`/hosts/${id}/report`, text));
  expectStatus(answer, 202, 'the report of a manual host');
}

/** Sends a request that may be repeated; after a busy answer again, after the requested seconds. */
async function whileBusy(send: () => Promise<Answer>): Promise<Answer> {
  let answer = await send();
  for (let attempt = 1; attempt < attempts && [429, 503].includes(answer.status); attempt++) {
    await delay(Number(answer.headers.get('retry-after') ?? 1) * 1_000);
    answer = await send();
  }
  return answer;
}

/** Throws an error with the answer if its status is another one. */
export function expectStatus({ status, body }: Answer, wanted: number, what: string): void {
  if (status !== wanted) throw new Error(`${what}: ${status} ${JSON.stringify(body)}`);
}
