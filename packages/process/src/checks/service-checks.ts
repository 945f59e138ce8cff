import { feedStatus } from '@plimsoll/advisories';
import {
  compareRoles,
  createFeedStore,
  createInstanceStore,
  createRoundStore,
  type Database,
  type Instance,
  isAlive,
  pingDatabase,
  powerWarning,
  type RoleNames,
  readConnectedRole,
  type SchemaCheck,
  SchemaError,
} from '@plimsoll/db';
import { patienceSeconds, type RoundState, roundState, serviceApps, wholeFleet } from '@plimsoll/model';
import { checkRedis, type RedisCheck } from '@plimsoll/queue';
import { type Finding, fault, type Looks, ok, unknown, warning } from './run-check.ts';

const dayMs = 24 * 3_600_000;
/** Tokens, due dates and ages of feeds compare the two clocks. */
const clockWarningMs = 5_000;
const clockFaultMs = 60_000;
const backUpNow = 'Run plimsoll backup: docs/operations/backup.md.';
const startIt = 'Start it: npm start, or systemctl start plimsoll.';
const certificateWarningMs = 14 * dayMs;

/** What the checks look at. */
export interface ServiceCheckSources {
  readonly db: Database;
  readonly schema: Pick<SchemaCheck, 'findMissing'>;
  /** The Redis of the queue; null: the queue is in PostgreSQL. Unknown: why it is not known. */
  readonly redis: { readonly url: string; readonly prefix: string } | null | { readonly unknown: string };
  /** The roles of all apps; null: only that of this process. */
  readonly roles: RoleNames | null;
  /** A sentence for an error. */
  readonly sentenceOf: (error: unknown) => string;
  readonly clock: () => Date;
}

/** The checks that any process with the database makes. Those that need it are `unknown` while it is away. */
export async function serviceChecks(sources: ServiceCheckSources): Promise<Looks> {
  const { db, sentenceOf } = sources;
  const away = await pingDatabase(db).then(
    () => null,
    (error: unknown) => sentenceOf(error),
  );
  const byDatabase = {
    processes: processesCheck,
    schema: schemaCheck,
    'database roles': sources.roles === null ? ownRoleCheck : rolesCheck,
    clock: clockCheck,
    rounds: roundsCheck,
    backup: backupCheck,
    feeds: feedsCheck,
  };
  return {
    database: () => databaseCheck(sources, away),
    ...Object.fromEntries(
      Object.entries(byDatabase).map(([name, look]) => [
        name,
        async () => (away === null ? look(sources) : unknown('The database is away.')),
      ]),
    ),
    queue: () => queueCheck(sources, away !== null),
  };
}

/** The processes that run. */
async function aliveOf({ db, clock }: ServiceCheckSources): Promise<readonly Instance[]> {
  return (await createInstanceStore(db).list()).filter((instance) => isAlive(instance, clock()));
}

async function processesCheck(sources: ServiceCheckSources): Promise<Finding> {
  const alive = await aliveOf(sources);
  if (alive.length === 0)
    return fault('The service does not run: no process of it was seen lately.', startIt);
  const missing = serviceApps.filter((name) => !alive.some(({ app }) => app === name));
  if (missing.length > 0)
    return fault(`These do not run, and their work waits: ${missing.join(', ')}.`, 'See their logs.');
  return ok(`${alive.length} processes run: at least one of every app.`);
}

async function databaseCheck({ db }: ServiceCheckSources, away: string | null): Promise<Finding> {
  if (away !== null)
    return fault(away, 'Remove this cause, or correct database.url; uploads wait meanwhile.');
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
    if (error instanceof SchemaError) return fault(error.message, 'See docs/upgrading.md.');
    throw error;
  }
}

async function ownRoleCheck({ db }: ServiceCheckSources): Promise<Finding> {
  const connected = await readConnectedRole(db);
  const power = powerWarning(connected);
  if (power === null) return ok(`The role ${connected.role} has only the rights of its app.`);
  return warning(`${power.slice(0, 1).toUpperCase()}${power.slice(1)}.`, 'See docs/operations/fleet.md.');
}

async function rolesCheck({ db, roles }: ServiceCheckSources): Promise<Finding> {
  if (roles === null) return unknown('The names of the roles are not known.');
  const remedy = 'Run plimsoll migrate as a user who may create roles: docs/operations/fleet.md.';
  const { absent, powerful, limited } = await compareRoles(db, roles);
  if (absent.length > 0)
    return warning(`Apps without a role of their own can change everything: ${absent.join(', ')}.`, remedy);
  if (powerful.length > 0) return fault(`These have too many rights: ${powerful.join(', ')}.`, remedy);
  if (limited.length > 0) return fault(`These have too few rights: ${limited.join(', ')}.`, remedy);
  return ok('Each app has a role with only its rights.');
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

async function roundsCheck(sources: ServiceCheckSources): Promise<Finding> {
  const now = sources.clock();
  const runs = (await createRoundStore(sources.db).list()).filter(({ name }) => name !== 'back up');
  const named = (state: RoundState) =>
    runs.flatMap((run) => (roundState(run, now) === state ? [run.name] : [])).join(', ');
  const [failing, late, never] = [named('failing'), named('late'), named('never')];
  if (failing !== '') return fault(`Failing: ${failing}.`, 'See their errors in Settings → System.');
  if (late !== '') {
    // After a stop each is late until it has run.
    const since = Math.min(...(await aliveOf(sources)).map(({ startedAt }) => startedAt.getTime()));
    if (since === Number.POSITIVE_INFINITY)
      return unknown(`The service does not run. Due: ${late}.`, startIt);
    if (now.getTime() - since < patienceSeconds * 1000)
      return unknown(`They have not run since the start less than ten minutes ago: ${late}.`);
    return fault(`Late: ${late}.`, 'See the logs of their apps.');
  }
  if (never !== '') return unknown(`The others work; these never ran yet: ${never}.`);
  return ok(`All ${runs.length} rounds succeeded lately.`);
}

async function backupCheck({ db, clock }: ServiceCheckSources): Promise<Finding> {
  const run = (await createRoundStore(db).list()).find(({ name }) => name === 'back up');
  const age = backupAgeCheck(run?.lastOkAt ?? null, clock());
  if (run === undefined || roundState(run, clock()) !== 'failing') return age;
  return fault(`The last backup failed: ${run.lastError?.message} ${age.says}`, backUpNow);
}

/** Whether the newest backup is new enough. @param newest null: there was never one */
export function backupAgeCheck(newest: Date | null, now: Date): Finding {
  if (newest === null) return warning('It was never backed up by plimsoll backup.', backUpNow);
  const says = `The last backup is of ${newest.toISOString()}.`;
  return roundState({ name: 'back up', lastOkAt: newest, lastError: null }, now) === 'late'
    ? warning(`${says} That is more than two days ago, or a clock was ahead.`, backUpNow)
    : ok(says);
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
  if (redis !== null && 'unknown' in redis) return unknown(redis.unknown);
  if (redis !== null) return redisFinding(await checkRedis(redis.url, redis.prefix));
  return isDatabaseAway ? unknown('It is in the database, which is away.') : ok('It is in the database.');
}

/** What the queue's Redis needs: all keys kept, memory, and a file that can be written. */
function redisFinding(check: RedisCheck): Finding {
  const delay = 'Nothing is lost: work is in the database, and starts late.';
  if (check.kind !== 'up')
    return fault(
      `Redis ${check.kind === 'away' ? 'is away' : 'refuses'}: ${check.reason}. ${delay}`,
      'Remove this cause, or correct redis.url.',
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
