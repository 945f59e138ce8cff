import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import {
  createFleet,
  createSender,
  createServiceClient,
  type EnrolledMember,
  enrolFleet,
  type Fleet,
  fleetAdvisories,
  type Ledger,
  openLedger,
  prepareReport,
  readModels,
  type ServiceClient,
  signIn,
} from '@plimsoll/loadtest';
import { setUpClient, testAdmin, textOf, waitFor } from '@plimsoll/testing';
import { type FaultyService, startFaultyService } from './faulty-service.ts';

const hosts = 24;
const lanes = 4;
const pauseMs = { accepted: 60, refused: 250 };

/** A service under load, and what its hosts have sent. */
export interface World {
  readonly service: FaultyService;
  readonly client: ServiceClient;
  /** An admin's API key. */
  readonly key: string;
  readonly fleet: Fleet;
  /** The enrolled hosts; a fault may delete some. */
  readonly members: EnrolledMember[];
  /** The hosts that were deleted. */
  readonly deleted: Set<string>;
  /** Begins an import of advisories, each time with more of them. Resolves to its id. */
  beginImport(): Promise<string>;
  importEnded(id: string): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a service with a fleet and advisories about it. */
export async function startWorld(options: { readonly ownClock?: boolean } = {}): Promise<World> {
  const service = await startFaultyService(options);
  const { authorization } = await setUpClient(service.url);
  const client = createServiceClient(service.url, 2 * lanes);
  const expires = new Date(Date.now() + 399 * 86_400_000).toISOString();
  const created = await client.send({
    ...{ method: 'POST', path: '/api-keys', headers: { authorization } },
    body: { name: 'faults', role: 'admin', expires_at: expires },
  });
  const key = textOf(created.body, 'key');
  const models = ['debian-11.tsv', 'debian-13.tsv'].map((file) =>
    path.resolve(__dirname, '../../packages/loadtest/models', file),
  );
  const fleet = createFleet({ models: await readModels(models), hosts, seed: 1 });
  const session = await signIn(client, testAdmin);
  let day = 40;
  const world: World = {
    service,
    client,
    key,
    fleet,
    members: [...(await enrolFleet(client, fleet, { session, lanes }))],
    deleted: new Set(),
    async beginImport() {
      day += 1;
      const timeOf = (at: number) => new Date(Date.now() - (1_000 - at) * 86_400_000);
      const advisories = fleetAdvisories(fleet, { from: Number.NEGATIVE_INFINITY, to: day }, timeOf);
      const file = advisories.map(({ record }) => JSON.stringify(record)).join('\n');
      const { body } = await client.send({
        ...{ method: 'POST', path: '/feeds/import?format=osv', token: key, body: Buffer.from(file) },
        headers: { 'content-type': 'application/octet-stream' },
      });
      return textOf(body, 'import_id');
    },
    importEnded: (id) =>
      waitFor(`import ${id} to be done`, async () => {
        const { status, body } = await client.send({ path: `/feeds/imports/${id}`, token: key });
        const state = status === 200 ? textOf(body, 'status') : '';
        if (state === 'failed') throw new Error(JSON.stringify(body));
        return state === 'done';
      }),
    async stop() {
      client.close();
      await service.stop();
    },
  };
  await world.importEnded(await world.beginImport());
  return world;
}

/** Hosts that send one changed report after the other. */
export interface Load {
  readonly ledger: Ledger;
  /** Resolves with the first acceptance of a report that was sent after a time: milliseconds since then. */
  accepts(since: number): Promise<number>;
  /** Each host sends one more report, as often as it is refused; then no more. */
  finish(): Promise<void>;
}

/** How many reports each host of the fleet has sent. */
const sent = new Map<number, number>();

/** Begins to send. A refused report is not sent again; the host's next one is. */
export function startLoad({ client, fleet, members }: World): Load {
  const ledger = openLedger(null);
  const sender = createSender(client, ledger, 1);
  let stopped = false;
  const send = async (member: EnrolledMember): Promise<boolean> => {
    const revision = (sent.get(member.host) ?? 0) + 1;
    sent.set(member.host, revision);
    // Every other report has versions that only the report-worker can store; the API stores most others parsed.
    const newVersions = (revision + member.host) % 2 === 0 ? 0.03 : 0;
    const moment = { day: 0, at: new Date(), revision, newVersions };
    const report = prepareReport(fleet, member.host, moment);
    const { uploadId } = await sender.send({ member, round: 0, report });
    await delay(uploadId === null ? pauseMs.refused : pauseMs.accepted);
    return uploadId !== null;
  };
  const inLanes = (work: (member: EnrolledMember) => Promise<unknown>) =>
    Promise.all(
      Array.from({ length: lanes }, async (_, lane) => {
        for (const member of members.filter(({ host }) => host % lanes === lane)) await work(member);
      }),
    );
  const keepSending = async (): Promise<void> => {
    while (!stopped) await inLanes((member) => (stopped ? Promise.resolve() : send(member)));
  };
  const sending = keepSending();
  return {
    ledger,
    async accepts(since) {
      let ms = 0;
      await waitFor('a report to be accepted', () => {
        const first = ledger.uploads.find((one) => one.status === 202 && Date.parse(one.sentAt) >= since);
        ms = first === undefined ? 0 : Date.parse(first.sentAt) + first.ms - since;
        return first !== undefined;
      });
      return ms;
    },
    async finish() {
      stopped = true;
      await sending;
      const deadline = performance.now() + 120_000;
      await inLanes(async (member) => {
        while (!(await send(member)) && performance.now() < deadline);
      });
    },
  };
}
