import { syncIntervalsMsOf } from '@plimsoll/advisories';
import { createRetentionClock, newId } from '@plimsoll/db';
import type { HostId } from '@plimsoll/model';
import { createLogger, type Logger } from '@plimsoll/process';
import { createTestDatabase, type TestDatabase } from '@plimsoll/testing';
import type { Round } from '../src/round.ts';
import { roundStores } from '../src/round-stores.ts';
import { createRounds, type SchedulerContext } from '../src/rounds.ts';

type Rung = readonly [job: string, payload: object];

/** The scheduler's rounds over a new database. */
export interface RoundsUnderTest {
  readonly database: TestDatabase;
  /** The jobs that were rung for. */
  readonly rung: Rung[];
  /** The rounds by name, as of one process. */
  roundsOf(feedSync?: SchedulerContext['feedSync']): ReadonlyMap<string, Round>;
  /** Runs a round as if it were this time by all clocks; default: of a new process. */
  run(name: string, now: Date, rounds?: ReadonlyMap<string, Round>): Promise<void>;
  /** Creates a host with a release. */
  insertHostOf(release: string): Promise<void>;
}

/** Creates a database and the rounds over it. The caller drops the database. */
export async function createRoundsUnderTest(): Promise<RoundsUnderTest> {
  const database = await createTestDatabase();
  const rung: Rung[] = [];
  let at = new Date(0);
  const now = async () => at;
  const clock = { ...createRetentionClock(database.as('scheduler')), now, retention: now };
  return {
    database,
    rung,
    roundsOf: (feedSync = hourly) => byName(roundsOn(database, { rung, feedSync, clock })),
    async run(name, now, rounds = byName(roundsOn(database, { rung, clock }))) {
      const round = rounds.get(name);
      if (round === undefined) throw new Error(`there is no round "${name}"`);
      at = now;
      await round.run();
    },
    insertHostOf: (release) => insertHostOf(database, release),
  };
}

/** Feeds are synced every hour. */
export const hourly: SchedulerContext['feedSync'] = {
  enabled: true,
  intervalsMs: syncIntervalsMsOf(['60', 'epss=600']),
  feeds: { kind: 'auto' },
};

function byName(rounds: ReturnType<typeof roundsOn>): ReadonlyMap<string, Round> {
  return new Map(rounds.flat().map((round) => [round.name, round]));
}

/** The rounds over a database, as the scheduler's role; what they ring is added to `rung`. */
export function roundsOn(
  database: TestDatabase,
  {
    rung,
    feedSync = hourly,
    clock = createRetentionClock(database.as('scheduler')),
    log = createLogger({ app: 'test', level: 'silent' }),
  }: {
    readonly rung: Rung[];
    readonly feedSync?: SchedulerContext['feedSync'];
    readonly clock?: SchedulerContext['clock'];
    readonly log?: Logger;
  },
): ReturnType<typeof createRounds> {
  const bell: SchedulerContext['bell'] = {
    freeHeld: async () => undefined,
    ring: (job, payload) => {
      rung.push([job, payload]);
    },
    ringAll: (job, payloads) => {
      for (const payload of payloads) rung.push([job, payload]);
    },
  };
  return createRounds({
    ...roundStores(database.as('scheduler')),
    clock,
    bell,
    feedSync,
    uploadRetentionDays: 30,
    trendRetentionDays: 400,
    retireAfterDays: 30,
    deliveryRetentionDays: 90,
    payloadRetentionDays: 90,
    fullHistoryDays: 90,
    dailyHistoryDays: 400,
    historyRetentionDays: 800,
    auditExports: [],
    auditRetentionDays: 400,
    log,
  });
}

/** A host with a release. */
async function insertHostOf(database: TestDatabase, release: string): Promise<void> {
  const hostId = newId<HostId>();
  const { id: releaseId } = await database.db.prisma.release.create({ data: { name: release } });
  await database.db.prisma.host.create({
    data: {
      id: hostId,
      onboardingMode: 'agent',
      approvalStatus: 'approved',
      displayName: 'web',
      hostname: 'web',
      contact: { create: { lastSeenAt: new Date(), staleAfterSeconds: 3_600 } },
      state: { create: { releaseId } },
    },
  });
}
