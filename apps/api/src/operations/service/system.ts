import type { System } from '@plimsoll/contract';
import { type Instance, isAlive } from '@plimsoll/db';
import { productVersion, type RoundName, type RoundRuns, roundState } from '@plimsoll/model';
import type { ApiServices } from '../../context.ts';
import type { Handler } from '../operation-request.ts';

const queueTimeoutMs = 1_000;

/** GET /system */
export const getSystem: Handler<'getSystem'> = async (_request, services) => {
  const { instances } = services.stores;
  const [database, queue, processes, runs, work, failures, { checks, spaces }] = await Promise.all([
    instances.databaseFacts(),
    queueFacts(services),
    instances.list(),
    services.stores.rounds.list(),
    instances.waitingWork(),
    instances.recentFailures(),
    services.systemChecks(),
  ]);
  const nowMs = services.clock().getTime();
  const rounds = runs.map((round) => roundAnswer(round, nowMs));
  const backup = rounds.find(({ name }) => name === ('back up' satisfies RoundName));
  return {
    kind: 'json',
    status: 200,
    body: {
      version: productVersion,
      public_url: services.settings.publicUrl,
      database: { version: database.version, size_bytes: database.bytes },
      queue,
      certificate: certificateFacts(services),
      instances: processes.map((instance) => instanceAnswer(instance, nowMs)),
      backup: { last_ok_at: backup?.last_ok_at ?? null, last_error: backup?.last_error ?? null },
      rounds,
      checks: checks.map((check) => ({ ...check })),
      disk: spaces.map(({ name, space }) => ({
        folder: name,
        free_bytes: space?.free ?? null,
        size_bytes: space?.size ?? null,
      })),
      work: work.map(({ oldestAt, ...entry }) => ({ ...entry, oldest_at: oldestAt?.toISOString() ?? null })),
      failures: {
        rejected_uploads: failures.rejectedUploads,
        failed_pulls: failures.failedPulls,
        failed_imports: failures.failedImports,
        failed_feeds: failures.failedFeeds,
      },
    },
  };
};

function certificateFacts({ certificate }: ApiServices): System['certificate'] {
  if (certificate === null) return null;
  const { names, issuer, notBefore, notAfter, fingerprint } = certificate.current();
  return {
    names: [...names],
    issuer,
    not_before: notBefore.toISOString(),
    not_after: notAfter.toISOString(),
    fingerprint_sha256: fingerprint,
    reload_error: certificate.failure(),
  };
}

async function queueFacts({ queue, settings, logger }: ApiServices): Promise<System['queue']> {
  const backend = settings.queueBackend.kind;
  try {
    const counts = Object.entries(await queue.counts(queueTimeoutMs));
    const queues = counts.map(([name, { waiting, active, delayed }]) => ({ name, waiting, active, delayed }));
    return { backend, state: 'up', queues: queues.sort((a, b) => (a.name < b.name ? -1 : 1)) };
  } catch (error) {
    logger.debug({ err: error }, 'queue not counted');
    return { backend, state: 'down', queues: [] };
  }
}

function roundAnswer(round: RoundRuns, nowMs: number): System['rounds'][number] {
  const { name, lastOkAt, lastError } = round;
  return {
    name,
    state: roundState(round, new Date(nowMs)),
    last_ok_at: lastOkAt?.toISOString() ?? null,
    last_error: lastError === null ? null : { at: lastError.at.toISOString(), message: lastError.message },
  };
}

function instanceAnswer(instance: Instance, nowMs: number): System['instances'][number] {
  const { id, app, hostname, pid, version, startedAt, lastSeenAt } = instance;
  return {
    id,
    app,
    hostname,
    pid,
    version,
    started_at: startedAt.toISOString(),
    last_seen_at: lastSeenAt.toISOString(),
    alive: isAlive(instance, new Date(nowMs)),
  };
}
