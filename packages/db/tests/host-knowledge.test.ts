import { type JudgedOverview, judgeOverview } from '@plimsoll/advisories';
import {
  type ActionGround,
  actionGrounds,
  bitsOfGrounds,
  type DueState,
  dueStates,
  type HostId,
  overallActions,
  type RepositoriesState,
  repositoriesStates,
  wholeFleet,
} from '@plimsoll/model';
import { databasePerFile } from '@plimsoll/testing';
import fc from 'fast-check';
import { createHostStore, type HostOverview, newId } from '../src/index.ts';

const database = databasePerFile();

/** The input of the rules for gaps and the overall action. Ages are in days; null: never. */
interface Facts {
  readonly hasReport: boolean;
  readonly failedPulls: boolean;
  readonly confirmedAge: number;
  readonly manualCollectedAge: number | null;
  readonly listsAge: number | null;
  readonly updatesKnown: boolean;
  readonly feed: 'none' | 'never' | number;
  readonly feedThreshold: number;
  readonly covered: boolean;
  readonly listsUnfixed: boolean;
  readonly supportLeft: number | null;
  readonly ownSupportLeft: number | null;
  readonly unknown: number;
  readonly availableUpdates: number;
  readonly reboot: DueState;
  readonly restart: DueState;
  readonly repositories: RepositoriesState;
  readonly validLeft: number | null;
  readonly repositoryError: string;
  readonly grounds: readonly ActionGround[];
}

const age = fc.constantFrom(0, 2, 6, 8, 30, 90);
const facts: fc.Arbitrary<Facts> = fc.record({
  hasReport: fc.constantFrom(true, true, true, false),
  failedPulls: fc.constantFrom(false, false, false, true),
  confirmedAge: fc.constantFrom(0, 0, 0, 2, 90),
  manualCollectedAge: fc.option(fc.constantFrom(0, 90), { freq: 4 }),
  listsAge: fc.option(age),
  updatesKnown: fc.constantFrom(true, true, false),
  feed: fc.oneof(fc.constantFrom<'none' | 'never'>('none', 'never'), fc.constantFrom(0, 0, 0, 2, 8, 90)),
  feedThreshold: fc.constantFrom(1, 3, 10),
  covered: fc.constantFrom(true, true, true, false),
  listsUnfixed: fc.boolean(),
  supportLeft: fc.option(fc.constantFrom(-1, 1, 100)),
  ownSupportLeft: fc.option(fc.constantFrom(-1, 1), { freq: 1 }),
  unknown: fc.constantFrom(0, 0, 3),
  availableUpdates: fc.constantFrom(0, 0, 4),
  reboot: fc.constantFrom(...dueStates),
  restart: fc.constantFrom(...dueStates),
  repositories: fc.constantFrom(...repositoriesStates),
  validLeft: fc.option(fc.constantFrom(-1, 1)),
  repositoryError: fc.constantFrom('', '', 'a key has expired'),
  grounds: fc.oneof(
    fc.constant<ActionGround[]>([]),
    fc.constant<ActionGround[]>([]),
    fc.subarray([...actionGrounds]).map((some) => [...new Set<ActionGround>(['open_finding', ...some])]),
  ),
});

/** A host without gaps and without anything to do. */
const healthy: Facts = {
  hasReport: true,
  failedPulls: false,
  confirmedAge: 0,
  manualCollectedAge: null,
  listsAge: 0,
  updatesKnown: true,
  feed: 0,
  feedThreshold: 3,
  covered: true,
  listsUnfixed: true,
  supportLeft: 100,
  ownSupportLeft: null,
  unknown: 0,
  availableUpdates: 0,
  reboot: 'not_needed',
  restart: 'not_needed',
  repositories: 'current',
  validLeft: null,
  repositoryError: '',
  grounds: [],
};

/** Hosts that cover every action, in addition to random ones. */
const chosen: readonly Facts[] = [
  healthy,
  ...actionGrounds.map((ground) => ({ ...healthy, grounds: ['open_finding' as const, ground] })),
  { ...healthy, availableUpdates: 2 },
  { ...healthy, reboot: 'needed' },
  { ...healthy, restart: 'needed' },
  { ...healthy, feed: 90 },
  { ...healthy, supportLeft: -1 },
  { ...healthy, supportLeft: -1, grounds: ['open_finding', 'urgent_open', 'urgent_blocked'] },
  { ...healthy, repositories: 'outdated' },
  { ...healthy, repositoryError: 'a key has expired' },
  ...(['reboot', 'restart', 'repositories'] as const).map((state) => ({
    ...healthy,
    [state]: 'unknown' as const,
  })),
  { ...healthy, unknown: 3 },
  { ...healthy, listsUnfixed: false },
];

/** What is stored of the host and its release, in the terms of the rules. */
function judged(host: Facts): Omit<JudgedOverview, 'until'> {
  const now = Date.now();
  const at = (date: Date | null) => date?.getTime() ?? null;
  const { until: _, ...overview } = judgeOverview(
    {
      hasReport: host.hasReport,
      failedPulls: host.failedPulls,
      reportedAt: at(ago(Math.max(host.confirmedAge, host.manualCollectedAge ?? 0))),
      staleAfterSeconds: 26 * 3_600,
      updatesKnown: host.updatesKnown,
      listsAt: at(ago(host.listsAge)),
      repositoriesState: host.repositories,
      repositoriesValidUntil: at(ahead(host.validLeft)),
      repositoryFailing: host.repositoryError !== '',
      unknown: host.unknown,
      availableUpdates: host.availableUpdates,
      rebootState: host.reboot,
      restartState: host.restart,
      grounds: bitsOfGrounds(host.grounds),
      supportEndsAt: at(ahead(host.ownSupportLeft)),
    },
    {
      feedId: host.feed === 'none' ? null : 'feed',
      feedUpdatedAt: typeof host.feed === 'number' ? at(ago(host.feed)) : null,
      feedStaleAfterSeconds: host.feedThreshold * 86_400 + 3_600,
      covered: host.feed !== 'none' && host.covered,
      listsUnfixed: host.listsUnfixed,
      supportEndsAt: at(ahead(host.supportLeft)),
    },
    now,
  );
  return overview;
}

const dayMs = 24 * 3600 * 1000;
/** One more minute, so that an age in whole days exceeds a threshold of the same number of days. */
const ago = (days: number | null) => (days === null ? null : new Date(Date.now() - days * dayMs - 60_000));
const ahead = (days: number | null) => (days === null ? null : new Date(Date.now() + days * dayMs));

async function insertHost(host: Facts, n: number, setId: number): Promise<HostId> {
  const { prisma } = database.db;
  const id = newId<HostId>();
  if (host.feed !== 'none') {
    await prisma.feed.create({
      data: {
        id: `feed-${n}`,
        updatedAt: host.feed === 'never' ? null : ago(host.feed),
        staleAfterSeconds: host.feedThreshold * 86_400 + 3_600,
      },
    });
  }
  const release = await prisma.release.create({
    data: {
      name: `release:${n}`,
      feedId: host.feed === 'none' ? null : `feed-${n}`,
      covered: host.feed !== 'none' && host.covered,
      listsUnfixed: host.listsUnfixed,
      endsAt: ahead(host.supportLeft),
    },
  });
  const snapshotId = newId<string>();
  await prisma.host.create({
    data: {
      id,
      onboardingMode: 'ssh',
      approvalStatus: 'approved',
      displayName: `host ${n}`,
      hostname: `h${n}`,
      contact: {
        create: {
          lastSeenAt: new Date(),
          staleAfterSeconds: 26 * 3_600,
          lastConfirmedAt: ago(host.confirmedAge),
          listsAt: ago(host.listsAge),
          collectedAt: ago(host.manualCollectedAge),
          repositoriesState: host.repositories,
          repositoriesValidUntil: ahead(host.validLeft),
          repositoryError: host.repositoryError,
        },
      },
      state: {
        create: {
          releaseId: release.id,
          snapshotId: host.hasReport ? snapshotId : null,
          isManual: host.manualCollectedAge !== null,
          supportEndsAt: ahead(host.ownSupportLeft),
          unknown: host.unknown,
          availableUpdates: host.availableUpdates,
          updatesKnown: host.updatesKnown,
          rebootState: host.reboot,
          restartState: host.restart,
          grounds: bitsOfGrounds(host.grounds),
        },
      },
    },
  });
  await database.db.pool.query(
    `INSERT INTO snapshots (id, host_id, sequence, source, received_at, schema_version, collector_version, payload,
                            payload_sha256, payload_size, set_id, release_id, facts, upgrade_ids, held_ids)
     VALUES ($1, $2, 1, $3, now(), 1, '', '', '', 0, $4, $5, '{}', '{}', '{}')`,
    [snapshotId, id, host.manualCollectedAge === null ? 'ssh' : 'manual', setId, release.id],
  );
  if (host.failedPulls) await failPulls(id);
  return id;
}

async function failPulls(hostId: HostId): Promise<void> {
  const { pool } = database.db;
  const pair = newId<string>();
  await pool.query(
    `INSERT INTO ssh_key_pairs (id, host_id, public_key, sealed, sealed_to) VALUES ($1, $2, '', '', '')`,
    [pair, hostId],
  );
  await pool.query(
    `INSERT INTO ssh_targets (host_id, "user", port, frequency_minutes, key_pair_id, next_pull_at, first_pulled_at, failures)
     VALUES ($1, 'root', 22, 60, $2, now(), now(), 3)`,
    [hostId, pair],
  );
}

describe('of any host with any feed', () => {
  let overviews: readonly { readonly host: Facts; readonly overview: HostOverview }[];

  beforeAll(async () => {
    const { prisma } = database.db;
    const set = await prisma.packageSet.create({
      data: { digest: Buffer.from('digest'), n: 0, ids: Buffer.alloc(0) },
    });
    const store = createHostStore(database.db);
    const hosts = [...chosen, ...fc.sample(facts, 300)];
    const read = [];
    for (const [n, host] of hosts.entries()) {
      const overview = await store.find(wholeFleet, await insertHost(host, n, set.id));
      if (overview === null) throw new Error('a host that was inserted is not found');
      read.push({ host, overview });
    }
    overviews = read;
  });

  it('is judged by what is stored', () => {
    for (const { host, overview } of overviews) {
      const shown = judged(host);
      expect({ host, ...overview }).toMatchObject({ host, ...shown });
    }
    const seen = new Set(overviews.map(({ overview }) => overview.overallAction));
    expect(overallActions.filter((action) => !seen.has(action))).toEqual([]);
  });
});
