import type { PullFailure, PullRunStore, PullToRun } from '@plimsoll/db';
import { AppError } from '@plimsoll/model';
import { readReportFacts, takeReport } from '@plimsoll/pipeline/intake';
import type { Logger } from '@plimsoll/process';
import type { JobHandler, jobs, PayloadOf } from '@plimsoll/queue';
import { type Lease, LeaseLost, type Leases, leaseSeconds } from './leases.ts';
import type { PullMetrics } from './pull-metrics.ts';
import type { VisitContext, VisitResult } from './visit-context.ts';
import { visitHost } from './visit-host.ts';

/** A failure that may be temporary is retried once. */
const visitsOfOnePull = 2;
/** A pull started this often without an end probably breaks the worker each time. */
const maxStarts = 6;

/** The dependencies of pulls. */
export interface PullContext extends VisitContext {
  readonly runs: PullRunStore;
  readonly leases: Leases;
  readonly metrics: PullMetrics;
  readonly log: Logger;
}

/** The result of a pull: an end that is stored, or another try. */
type Outcome = { readonly kind: 'ended' } | { readonly kind: 'try_again'; readonly reason: Error };

/** Handles `ssh-pull`: visits a host and stores its report, or the reason for a failure. */
export function createPullHandler(context: PullContext): JobHandler<PayloadOf<typeof jobs, 'ssh-pull'>> {
  return async ({ pullJobId }, { signal, lastAttempt }) => {
    const run = await context.runs.begin(pullJobId, leaseSeconds);
    // It has ended, its host was deleted, or another worker has it.
    if (run === null) return;
    const lease = context.leases.hold(run);
    try {
      const outcome = await pull(context, run, lease, { signal, lastAttempt });
      if (outcome.kind === 'try_again') throw outcome.reason;
    } finally {
      lease.release();
    }
  };
}

async function pull(
  context: PullContext,
  run: PullToRun,
  lease: Lease,
  { signal, lastAttempt }: { readonly signal: AbortSignal; readonly lastAttempt: boolean },
): Promise<Outcome> {
  const { runs, metrics, log } = context;
  if (run.starts > maxStarts) return endWith(context, run, brokenOff);
  try {
    const { result, collectorPin } = await metrics.visit(
      () => visitHost(run, context, AbortSignal.any([signal, lease.signal])),
      (visited) => (visited.result.kind === 'failed' ? visited.result.code : 'collected'),
    );
    if (result.kind === 'collected') return await bringHome(context, run, lease, result, collectorPin);

    await noteHostKey(runs, run, result);
    await runs.noteCollectorPin(run, collectorPin);
    if (result.mayHeal && run.starts < visitsOfOnePull && !lastAttempt) {
      await runs.putBack(run, { interrupted: false });
      return { kind: 'try_again', reason: new Error(result.code) };
    }
    log.info({ hostId: run.hostId, code: result.code }, 'pull failed');
    return endWith(context, run, failureOf(result));
  } catch (error) {
    if (error instanceof AppError && error.code === 'rate_limited') return endWith(context, run, tooMuch);
    if (error instanceof LeaseLost) {
      log.warn({ hostId: run.hostId }, 'pull lost to another worker, or its host is gone');
      return { kind: 'ended' };
    }
    // A fault of this machine, not of the host. A shutdown is not a fault.
    await runs.putBack(run, { interrupted: signal.aborted });
    throw error;
  }
}

async function bringHome(
  { runs, intake }: PullContext,
  run: PullToRun,
  lease: Lease,
  result: Extract<VisitResult, { kind: 'collected' }>,
  collectorPin: Buffer | null,
): Promise<Outcome> {
  const { output, release, identity, address } = result;
  try {
    await noteHostKey(runs, run, result);
    // Another worker may have pulled this host since: an older report must not become the newest.
    if (!(await lease.confirm())) return { kind: 'ended' };
    const facts = readReportFacts(output, new Date());
    const taken = await takeReport(
      { hostId: run.hostId, door: 'ssh', facts, body: { bytes: output } },
      intake,
    );
    const keyPairId = run.keyPairs[identity]?.id;
    if (taken !== null && keyPairId !== undefined) {
      await runs.harvest(run, { uploadId: taken.id, keyPairId, collectorPin, address });
    }
    return { kind: 'ended' };
  } finally {
    release();
  }
}

async function noteHostKey(runs: PullRunStore, run: PullToRun, result: VisitResult): Promise<void> {
  const { hostKey } = result;
  if (hostKey === null || (result.kind === 'failed' && result.code === 'host_key_mismatch')) return;
  await runs.pinHostKey(run.hostId, hostKey);
}

function failureOf({ code, message, hostKey }: Extract<VisitResult, { kind: 'failed' }>): PullFailure {
  return { code, message, otherHostKey: code === 'host_key_mismatch' ? hostKey : null };
}

const tooMuch: PullFailure = {
  code: 'output_too_large',
  message:
    'The host was pulled too often, or its reports are too large together: see uploads.burst and uploads.mebibytes_per_day.',
  otherHostKey: null,
};

const brokenOff: PullFailure = {
  code: 'internal',
  message: `The pull was begun ${maxStarts} times and broke off each time: see the log of the ssh-worker.`,
  otherHostKey: null,
};

async function endWith({ runs }: PullContext, run: PullToRun, failure: PullFailure): Promise<Outcome> {
  await runs.fail(run, failure);
  return { kind: 'ended' };
}
