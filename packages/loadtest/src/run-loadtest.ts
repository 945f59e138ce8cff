import { createChance } from './fleet/chance.ts';
import type { Fleet } from './fleet/fleet.ts';
import type { Moment } from './fleet/moment.ts';
import { isAccepted, type Ledger, openLedger, readLedger, type SentUpload } from './ledger/ledger.ts';
import { type Verification, verifyLedger } from './ledger/verify-ledger.ts';
import { LoadtestError, unwantedAnswer } from './loadtest-error.ts';
import { type Machine, thisMachine } from './machine.ts';
import { type Percentiles, percentilesOf } from './percentiles.ts';
import { type EnrolledMember, enrolFleet, signIn } from './service/enrol-fleet.ts';
import { createFollower } from './service/follow-uploads.ts';
import { createPace, inLanes } from './service/in-lanes.ts';
import { type PreparedReport, prepareReport } from './service/prepare-report.ts';
import { createSender, type Sender } from './service/send-reports.ts';
import type { ServiceClient } from './service/service-client.ts';

/** What a load test sends. */
export interface LoadtestPlan {
  readonly fleet: Fleet;
  readonly seed: number;
  /** Rounds in which each host that still reports sends one report; a round is a day of the fleet. */
  readonly rounds: number;
  /** The share of hosts that change in a round after the first; null: the fleet's own drift. */
  readonly changed: number | null;
  /** The share of a changed host's packages that get versions which the service does not know. */
  readonly newVersions: number;
  /** Unchanged reports a second, sent beside the others. */
  readonly unchangedRate: number;
  /** Reports a second at most; null: as fast as the service answers. */
  readonly rate: number | null;
  /** Concurrent requests. */
  readonly clients: number;
  readonly ledgerFile: string | null;
  /** For how long the verification waits for unfinished uploads. */
  readonly patienceMs: number;
  /** Whether the service may have hosts already. */
  readonly mayAdd: boolean;
}

/** The result of a load test. */
export interface LoadtestReport {
  readonly machine: Machine;
  readonly hosts: number;
  readonly rounds: number;
  readonly seed: number;
  readonly enrolSeconds: number;
  readonly sendSeconds: number;
  /** From the last report sent until every upload has ended and was verified. */
  readonly verifySeconds: number;
  readonly accepted: number;
  readonly queued: number;
  readonly unchanged: number;
  /** Attempts that the service answered with something else than 202. */
  readonly refusals: Readonly<Record<string, number>>;
  readonly acceptedPerSecond: number;
  readonly answerMs: { readonly queued: Percentiles; readonly unchanged: Percentiles };
  /** From the acceptance until the host's new state is visible; of some uploads. */
  readonly visibleMs: Percentiles;
  readonly verification: Verification;
}

/** What a load test talks to. */
export interface LoadtestPlace {
  readonly client: ServiceClient;
  readonly credentials: { readonly email: string; readonly password: string };
  /** Prints a line about progress. */
  readonly say: (line: string) => void;
}

/** One upload of so many is followed until it is visible. */
const followEvery = 20;

/**
 * Enrols a fleet through the API, sends its reports round by round, waits for the end of every upload and compares the
 * ledger with the service. Throws if the service refuses the sign-in or an enrolment; other refusals are in the report.
 */
export async function runLoadtest(plan: LoadtestPlan, place: LoadtestPlace): Promise<LoadtestReport> {
  const { fleet, clients } = plan;
  const { client, credentials, say } = place;
  const machine = thisMachine();
  const session = await signIn(client, credentials);
  if (!plan.mayAdd) await requireNoHosts(client, session);
  const begunAt = performance.now();
  const members = await enrolFleet(client, fleet, { session, lanes: clients });
  const enrolSeconds = secondsSince(begunAt);
  say(`${members.length} hosts enrolled in ${enrolSeconds} s`);
  const ledger = openLedger(plan.ledgerFile);
  const sentFrom = performance.now();
  const visible = await sendRounds(plan, { ...place, session, members, ledger });
  const sendSeconds = secondsSince(sentFrom);
  await ledger.close();
  const verifyFrom = performance.now();
  // From the file, so that what is verified is what was written.
  const uploads = plan.ledgerFile === null ? ledger.uploads : await readLedger(plan.ledgerFile);
  const verification = await verifyLedger(uploads, {
    client,
    // A session may have ended during a long test.
    session: await signIn(client, credentials),
    lanes: Math.min(4, clients),
    patienceMs: plan.patienceMs,
  });
  return {
    machine,
    hosts: fleet.hosts,
    rounds: plan.rounds,
    seed: plan.seed,
    enrolSeconds,
    sendSeconds,
    verifySeconds: secondsSince(verifyFrom),
    ...figuresOf(uploads, sendSeconds),
    visibleMs: percentilesOf(visible),
    verification,
  };
}

/** Throws if the service has a host, so that invented hosts do not mix with real ones by accident. */
async function requireNoHosts(client: ServiceClient, session: string): Promise<void> {
  const answer = await client.send({ path: '/hosts?limit=1', token: session });
  if (answer.status !== 200 || !Array.isArray(answer.body))
    throw unwantedAnswer('the hosts of the service', answer);
  if (answer.body.length > 0)
    throw new LoadtestError('The service already has hosts: give --add to add the invented ones.');
}

interface Sending extends LoadtestPlace {
  readonly session: string;
  readonly members: readonly EnrolledMember[];
  readonly ledger: Ledger;
}

async function sendRounds(plan: LoadtestPlan, sending: Sending): Promise<readonly number[]> {
  const { client, session, members, ledger, say } = sending;
  const { fleet, patienceMs } = plan;
  const sender = createSender(client, ledger);
  const follower = createFollower(client, { session, every: followEvery, patienceMs });
  const reporters = createReporters(plan);
  const beside = sendUnchanged(plan, { sender, members, reporters });
  const pace = plan.rate === null ? async () => undefined : createPace(plan.rate);
  try {
    for (let round = 0; round < plan.rounds; round += 1) {
      const due = members.filter(({ host }) => !fleet.isSilent(host, round));
      const startedAt = performance.now();
      await inLanes(due, plan.clients, async (member) => {
        await pace();
        await reporters.withHost(member.host, async () => {
          const report = reporters.next(member.host, round);
          const sent = await sender.send({ member, round, report });
          if (sent.answer === 'queued' && sent.uploadId !== null)
            follower.follow(member.hostId, sent.uploadId);
        });
      });
      say(`round ${round + 1} of ${plan.rounds}: ${due.length} reports in ${secondsSince(startedAt)} s`);
    }
  } finally {
    await beside.stop();
  }
  return follower.finish();
}

/** The newest report of each host, and turns, so that a host never sends two reports at a time. */
interface Reporters {
  next(host: number, round: number): PreparedReport;
  newest(host: number): PreparedReport | undefined;
  withHost(host: number, work: () => Promise<void>): Promise<void>;
  isBusy(host: number): boolean;
}

function createReporters({ fleet, seed, changed, newVersions }: LoadtestPlan): Reporters {
  const chance = createChance(seed);
  const moments = new Map<number, Moment>();
  const newest = new Map<number, PreparedReport>();
  const busy = new Map<number, Promise<void>>();
  const momentOf = (host: number, round: number): Moment => {
    const at = new Date();
    if (changed === null) return { day: round, at };
    const before = moments.get(host);
    if (before === undefined) return { day: 0, at };
    if (chance('changes', host, round) >= changed) return { ...before, at };
    return { day: round, at, revision: round, newVersions };
  };
  return {
    next(host, round) {
      const moment = momentOf(host, round);
      moments.set(host, moment);
      const report = prepareReport(fleet, host, moment);
      newest.set(host, report);
      return report;
    },
    newest: (host) => newest.get(host),
    isBusy: (host) => busy.has(host),
    async withHost(host, work) {
      while (busy.has(host)) await busy.get(host);
      const done = work().finally(() => busy.delete(host));
      busy.set(host, done);
      await done;
    },
  };
}

/** Sends the newest reports of hosts again, at the plan's rate, until it is stopped. */
function sendUnchanged(
  { unchangedRate, clients }: LoadtestPlan,
  {
    sender,
    members,
    reporters,
  }: { readonly sender: Sender; readonly members: readonly EnrolledMember[]; readonly reporters: Reporters },
): { stop(): Promise<void> } {
  let stopped = unchangedRate === 0;
  let turn = 0;
  const pace = createPace(Math.max(unchangedRate, 1e-9));
  const lane = async (): Promise<void> => {
    while (!stopped) {
      await pace();
      const member = members[turn % members.length];
      turn += 1;
      if (member === undefined || stopped || reporters.isBusy(member.host)) continue;
      const report = reporters.newest(member.host);
      if (report === undefined) continue;
      await reporters.withHost(member.host, async () => {
        await sender.send({ member, round: -1, report });
      });
    }
  };
  const lanes = stopped ? [] : Array.from({ length: clients }, lane);
  return {
    async stop() {
      stopped = true;
      await Promise.all(lanes);
    },
  };
}

function figuresOf(uploads: readonly SentUpload[], seconds: number) {
  const accepted = uploads.filter(isAccepted);
  const msOf = (answer: string) =>
    percentilesOf(accepted.filter((upload) => upload.answer === answer).map(({ ms }) => ms));
  const refusals: Record<string, number> = {};
  for (const { status, answer } of uploads.filter((upload) => !isAccepted(upload)))
    refusals[`${status} ${answer}`] = (refusals[`${status} ${answer}`] ?? 0) + 1;
  const answerMs = { queued: msOf('queued'), unchanged: msOf('unchanged') };
  return {
    accepted: accepted.length,
    queued: answerMs.queued.count,
    unchanged: answerMs.unchanged.count,
    refusals,
    acceptedPerSecond: Math.round((accepted.length / seconds) * 10) / 10,
    answerMs,
  };
}

function secondsSince(startedAt: number): number {
  return Math.max(0.1, Math.round((performance.now() - startedAt) / 100) / 10);
}
