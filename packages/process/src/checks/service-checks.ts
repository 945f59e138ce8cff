import { feedStatus } from '@plimsoll/advisories';
import {
  createFeedStore,
  createInstanceStore,
  createRoundStore,
  type Database,
  pingDatabase,
  powerWarning,
  readConnectedRole,
  type SchemaCheck,
  SchemaError,
} from '@plimsoll/db';
import { type Check, roundState, wholeFleet } from '@plimsoll/model';
import { checkRedis, type RedisCheck } from '@plimsoll/queue';
import { type Finding, fault, ok, runCheck, unknown, warning } from './run-check.ts';

const dayMs = 24 * 3_600_000;
/** A backup is made each day, or by hand: older ones deserve a word. */
const backupWarningMs = 2 * dayMs;
/** Tokens, due dates and ages of feeds compare the two clocks. */
const clockWarningMs = 5_000;
const clockFaultMs = 60_000;
const certificateWarningMs = 14 * dayMs;

/** What the checks look at. */
export interface ServiceCheckSources {
  readonly db: Database;
  readonly schema: Pick<SchemaCheck, 'findMissing'>;
  /** The Redis of the queue; null: the queue is in PostgreSQL. Unknown: a private Redis that only the service knows. */
  readonly redis: { readonly url: string; readonly prefix: string } | null | 'private';
  /** Whether this process works as the role of one app, which should have few rights. */
  readonly isApp: boolean;
  /** A sentence for an error. */
  readonly sentenceOf: (error: unknown) => string;
  readonly clock: () => Date;
}

/** The checks that any process with the database makes. All but the first are `unknown` while the database is away. */
export async function serviceChecks(sources: ServiceCheckSources): Promise<readonly Check[]> {
  const { db, sentenceOf } = sources;
  const away = await pingDatabase(db).then(
    () => null,
    (error: unknown) => sentenceOf(error),
  );
  const byDatabase: Readonly<Record<string, (sources: ServiceCheckSources) => Promise<Finding>>> = {
    schema: schemaCheck,
    ...(sources.isApp ? { 'database role': roleCheck } : {}),
    clock: clockCheck,
    rounds: roundsCheck,
    backup: backupCheck,
    feeds: feedsCheck,
  };
  const looks: (readonly [string, () => Promise<Finding>])[] = [
    ['database', () => databaseCheck(sources, away)],
    ...Object.entries(byDatabase).map(
      ([name, look]) =>
        [name, away === null ? () => look(sources) : async () => unknown('The database is away.')] as const,
    ),
    ['queue', () => queueCheck(sources, away !== null)],
  ];
  return Promise.all(looks.map(([name, look]) => runCheck(name, look, sentenceOf)));
}

async function databaseCheck({ db }: ServiceCheckSources, away: string | null): Promise<Finding> {
  if (away !== null)
    return fault(away, 'Start the database or correct database.url; uploads wait meanwhile.');
  const { version, bytes } = await createInstanceStore(db).databaseFacts();
  return ok(
    `PostgreSQL ${version} answers and takes writes; the database has ${Math.ceil(bytes / 2 ** 20)} MB.`,
  );
}

async function schemaCheck({ schema }: ServiceCheckSources): Promise<Finding> {
  try {
    const missing = await schema.findMissing();
    if (missing.length === 0) return ok('The schema is that of this version.');
    return fault(
      `The database lacks ${missing.length} migrations.`,
      'Run plimsoll migrate, or restart the service.',
    );
  } catch (error) {
    if (error instanceof SchemaError) return fault(error.message, 'See docs/operations/upgrade.md.');
    throw error;
  }
}

async function roleCheck({ db }: ServiceCheckSources): Promise<Finding> {
  const connected = await readConnectedRole(db);
  const power = powerWarning(connected);
  if (power === null) return ok(`The role ${connected.role} has only the rights of its app.`);
  return warning(`${power.slice(0, 1).toUpperCase()}${power.slice(1)}.`, 'See docs/operations/fleet.md.');
}

async function clockCheck({ db, clock }: ServiceCheckSources): Promise<Finding> {
  const before = clock().getTime();
  const { now } = await createInstanceStore(db).databaseFacts();
  const after = clock().getTime();
  // It was read somewhere between the two.
  const offMs = Math.max(before - now.getTime(), now.getTime() - after, 0);
  const says = `The clocks of this machine and of the database differ by ${(offMs / 1000).toFixed(1)} s.`;
  if (offMs < clockWarningMs) return ok(says);
  return (offMs < clockFaultMs ? warning : fault)(says, 'Set both clocks by NTP.');
}

async function roundsCheck({ db, clock }: ServiceCheckSources): Promise<Finding> {
  const runs = (await createRoundStore(db).list()).filter(({ name }) => name !== 'back up');
  const named = (state: string) =>
    runs.filter((run) => roundState(run, clock()) === state).map(({ name }) => name);
  const [failing, late, never] = [named('failing'), named('late'), named('never')];
  const bad = [
    ...(failing.length === 0 ? [] : [`Failing: ${failing.join(', ')}.`]),
    ...(late.length === 0 ? [] : [`Late: ${late.join(', ')}.`]),
  ];
  if (bad.length > 0)
    return fault(bad.join(' '), 'See their errors in Settings → System; late ones: is the service running?');
  if (never.length > 0)
    return unknown(`${runs.length - never.length} rounds work; these never ran yet: ${never.join(', ')}.`);
  return ok(`All ${runs.length} rounds succeeded lately.`);
}

async function backupCheck({ db, clock }: ServiceCheckSources): Promise<Finding> {
  const remedy = 'Run plimsoll backup: docs/operations/backup.md.';
  const run = (await createRoundStore(db).list()).find(({ name }) => name === 'back up');
  if (run === undefined || (run.lastOkAt === null && run.lastError === null))
    return warning('It was never backed up by plimsoll backup.', remedy);
  const { lastOkAt, lastError } = run;
  const last = lastOkAt === null ? 'None succeeded yet' : `The last one is of ${lastOkAt.toISOString()}`;
  if (roundState(run, clock()) === 'failing')
    return fault(`The last backup failed: ${lastError?.message} ${last}.`, remedy);
  const ageMs = clock().getTime() - (lastOkAt?.getTime() ?? 0);
  return ageMs > backupWarningMs ? warning(`${last}, more than two days ago.`, remedy) : ok(`${last}.`);
}

async function feedsCheck({ db, clock }: ServiceCheckSources): Promise<Finding> {
  const store = createFeedStore(db);
  const fleet = await store.hostsByRelease(wholeFleet);
  const needed = (await store.list())
    .map((row) => ({ ...row, ...feedStatus(row, { now: clock(), fleet }) }))
    .filter(({ neededByHosts }) => neededByHosts > 0);
  if (needed.length === 0) return unknown('No host needs a feed yet.');
  const bad = needed.filter(({ freshness, state }) => freshness !== 'current' || state === 'failed');
  const words = bad.map(
    ({ id, freshness, state, isFetched }) =>
      `${id}: ${freshness.replace('_', ' ')}${state === 'failed' ? ', its last sync failed' : ''}${isFetched ? '' : ', by file import only'}`,
  );
  if (bad.length === 0) return ok(`All ${needed.length} needed feeds are current.`);
  const says = `${bad.length} of ${needed.length} needed feeds need attention. ${words.join('. ')}.`;
  const remedy = 'Run plimsoll feed list, which says for each what to do.';
  return bad.some(({ freshness }) => freshness !== 'current') ? fault(says, remedy) : warning(says, remedy);
}

async function queueCheck({ redis }: ServiceCheckSources, isDatabaseAway: boolean): Promise<Finding> {
  if (redis === 'private')
    return unknown('The private Redis has no address outside of the service.', 'See Settings → System.');
  if (redis !== null) return redisFinding(await checkRedis(redis.url, redis.prefix));
  return isDatabaseAway ? unknown('It is in the database, which is away.') : ok('It is in the database.');
}

/** What the queue's Redis needs: all keys kept, memory, and a file that can be written. */
function redisFinding(check: RedisCheck): Finding {
  const delay = 'Nothing is lost: work is in the database, and starts late.';
  if (check.kind !== 'up')
    return fault(
      `Redis ${check.kind === 'away' ? 'is away' : 'refuses'}: ${check.reason}. ${delay}`,
      'Correct redis.url, or start Redis.',
    );
  const { facts } = check;
  if (facts === null)
    return unknown('Redis takes writes, but does not let this user read INFO.', 'Allow +info.');
  const { policy, maxBytes, usedBytes, isSaving, failed } = facts;
  if (policy !== 'noeviction')
    return fault(`Redis may drop jobs: maxmemory-policy is ${policy}.`, 'Set maxmemory-policy noeviction.');
  if (failed.length > 0)
    return warning(
      `Redis could not write its file: ${failed.join(', ')}.`,
      "See its log and its disk's space.",
    );
  if (maxBytes > 0 && usedBytes > 0.9 * maxBytes)
    return warning(
      `Redis uses ${usedBytes} of ${maxBytes} bytes.`,
      'Raise maxmemory, or find what fills it.',
    );
  const kept = isSaving
    ? 'keeps its keys on disk'
    : 'keeps its keys in memory only, and the database has all work';
  return ok(`Redis takes writes, drops nothing and ${kept}.`);
}

/** Whether clients accept a certificate. @param failure why its files cannot be used now; null: they can */
export function certificateCheck(
  certificate: { readonly notBefore: Date; readonly notAfter: Date } | null,
  failure: string | null,
  now: Date,
): Finding {
  if (failure !== null) return fault(failure, 'See docs/operations/tls.md.');
  if (certificate === null)
    return unknown(
      'The service has no certificate: the API serves plain http, and TLS of a proxy is not checked.',
    );
  const { notBefore, notAfter } = certificate;
  if (notAfter <= now) return fault(`It ended at ${notAfter.toISOString()}: clients refuse it.`, 'Renew it.');
  if (notBefore > now)
    return fault(`It begins at ${notBefore.toISOString()}: clients refuse it.`, 'Check the clock.');
  const says = `It is valid until ${notAfter.toISOString()}.`;
  return notAfter.getTime() - now.getTime() < certificateWarningMs ? warning(says, 'Renew it.') : ok(says);
}
