import {
  type EntriesTaken,
  freeChanges,
  type Interner,
  type Interning,
  isDatabaseAway,
  type ParsedUpload,
  type ParsedUploadStore,
  type ReceivedUpload,
  type ReleaseRefusal,
  type UploadAllowances,
  type WaitingUpload,
} from '@plimsoll/db';
import type { UploadId } from '@plimsoll/model';
import type { Logger } from '@plimsoll/process';
import {
  type Bell,
  createLanes,
  type ItemResult,
  type JobHandler,
  type jobs,
  type PayloadOf,
} from '@plimsoll/queue';
import { type Admission, internSnapshot } from '../intake/intern-snapshot.ts';
import { uploadBatches } from '../upload-batches.ts';
import { type ParsedPayload, parseUpload } from './parse-upload.ts';

/** Uploads above this uncompressed size are parsed one by one, outside the batches. */
const largeBytes = 1024 * 1024;
/**
 * Maximum number of internings of a batch; each is repeated if rows it refers to are collected meanwhile, which is
 * rare.
 */
const mostInternings = 5;

/** Number of failures after which an upload is quarantined. */
const maxFailures = 5;
/** Number of starts without an end after which an upload is quarantined: each probably crashed the worker. */
const maxStarts = 25;

const done: ItemResult<void> = { kind: 'done', value: undefined };

/** Dependencies of the parse jobs. */
export interface ReportParserContext {
  readonly uploads: ParsedUploadStore;
  readonly interner: Interner;
  readonly allowances: Pick<UploadAllowances, 'takeEntries' | 'takeChanges'>;
  readonly bell: Bell<typeof jobs>;
  readonly log: Logger;
}

/** The jobs that parse uploads. Each has its own queue, so that waiting uploads of one do not delay the others. */
export const parseJobs = ['report-parse', 'report-parse-large', 'report-parse-pending'] as const;

/** One of `parseJobs`. */
export type ParseJob = (typeof parseJobs)[number];

/**
 * Handles `parseJobs`: turns received uploads into snapshots and rings for matching them. All rings begin at
 * `report-parse`, which passes large uploads and those of pending hosts to their own job.
 */
export function createReportParser(
  context: ReportParserContext,
): Readonly<Record<ParseJob, JobHandler<PayloadOf<typeof jobs, ParseJob>>>> {
  const lanes = createLanes<Exclude<ParseJob, 'report-parse'>, UploadId, void>({
    ...uploadBatches,
    slow: ['report-parse-large', 'report-parse-pending'],
    run: (ids) => parseBatch(context, ids),
  });
  const handlerOf =
    (job: ParseJob): JobHandler<PayloadOf<typeof jobs, ParseJob>> =>
    async ({ uploadId }, { signal, attempt, starts }) => {
      const waiting = await context.uploads.look(uploadId);
      if (waiting === null) return;
      const own = jobOf(waiting);
      if (own !== job) {
        context.bell.ring(own, { uploadId });
        return;
      }
      // A worker died while it parsed this upload, or it is retried: alone, so that a crash affects no other upload.
      const turn = { signal, alone: starts > attempt || waiting.attempts >= maxFailures };
      await (own === 'report-parse' ? lanes.add(uploadId, turn) : lanes.addTo(own, uploadId, turn));
    };
  return {
    'report-parse': handlerOf('report-parse'),
    'report-parse-large': handlerOf('report-parse-large'),
    'report-parse-pending': handlerOf('report-parse-pending'),
  };
}

function jobOf({ size, isOfPendingHost }: WaitingUpload): ParseJob {
  if (isOfPendingHost) return 'report-parse-pending';
  return size > largeBytes ? 'report-parse-large' : 'report-parse';
}

/** A parsed upload. */
interface Understood {
  readonly upload: ReceivedUpload;
  readonly payload: Extract<ParsedPayload, { kind: 'parsed' }>;
}

async function parseBatch(
  context: ReportParserContext,
  ids: readonly UploadId[],
): Promise<readonly ItemResult<void>[]> {
  const received = await context.uploads.begin(ids);
  const outcomes = new Map<UploadId, ItemResult<void>>();
  const understood: Understood[] = [];
  for (const upload of received) {
    try {
      const result = await understand(context, upload);
      if (result !== null) understood.push(result);
    } catch (error) {
      outcomes.set(upload.id, await noteFailure(context, upload, error));
    }
  }
  const saved = await internAndSave(context, understood, outcomes);
  context.bell.ringAll(
    'advisory-match',
    saved.map((uploadId) => ({ uploadId })),
  );
  return ids.map((id) => outcomes.get(id) ?? done);
}

/** Null if the upload was rejected or quarantined. */
async function understand(context: ReportParserContext, upload: ReceivedUpload): Promise<Understood | null> {
  if (upload.attempts > maxStarts) {
    await quarantine(context, upload);
    return null;
  }
  const payload = await parseUpload(upload);
  if (payload.kind === 'parsed') return { upload, payload };
  await reject(context, upload, payload);
  return null;
}

async function reject(
  { uploads, log }: ReportParserContext,
  { id }: ReceivedUpload,
  { code, errors }: Omit<Extract<ParsedPayload, { kind: 'rejected' }>, 'kind'>,
): Promise<void> {
  await uploads.reject(id, code, errors);
  log.info({ uploadId: id, code }, 'upload rejected');
}

/** Interns uploads and stores their snapshots; repeats this if rows that they refer to were collected meanwhile. */
async function internAndSave(
  context: ReportParserContext,
  understood: readonly Understood[],
  outcomes: Map<UploadId, ItemResult<void>>,
): Promise<readonly UploadId[]> {
  for (let interning = 1; interning <= mostInternings; interning++) {
    const interner = await context.interner.begin();
    // At once, so that the uploads share statements.
    const interned = await Promise.all(
      understood.map((item) => internOrEnd(context, interner, item, outcomes)),
    );
    const parsed = interned.filter((upload) => upload !== null);
    const saved = await context.uploads.save(parsed, interner.epoch);
    if (saved !== null) return saved;
  }
  throw new Error(`rows were collected during ${mostInternings} internings in a row`);
}

/** Null, and an outcome, if the upload ended or failed before or now. */
async function internOrEnd(
  context: ReportParserContext,
  interner: Interning,
  item: Understood,
  outcomes: Map<UploadId, ItemResult<void>>,
): Promise<ParsedUpload | null> {
  const { upload } = item;
  if (outcomes.has(upload.id)) return null;
  try {
    return await internOne(context, interner, item);
  } catch (error) {
    outcomes.set(upload.id, await endWith(context, upload, error));
    return null;
  }
}

async function internOne(
  { allowances, uploads }: ReportParserContext,
  interner: Interning,
  { upload, payload }: Understood,
): Promise<ParsedUpload> {
  const require = (entries: number, taken: EntriesTaken): void => {
    if (taken.kind === 'too_many') throw new TooManyNew(entries);
    if (taken.kind === 'later') throw new NotYet(entries, taken.seconds);
  };
  const { hostId, door } = upload;
  const entries = async (count: number): Promise<void> =>
    require(count, await allowances.takeEntries(hostId, door, count));
  const admit: Admission = {
    entries,
    async release() {
      await entries(entriesPerRelease);
      const refused = await uploads.refusesRelease(hostId);
      if (refused !== null) throw new RefusedRelease(refused);
    },
  };
  const { interned } = await internSnapshot(interner, hostId, payload.snapshot, upload.reportedAt, admit);
  const changes = await uploads.changesTo(hostId, interned.setId);
  if (changes > freeChanges) require(changes, await allowances.takeChanges(upload, changes));
  return {
    id: upload.id,
    ...interned,
    // Notes on the whole list come first, because only the first notes are kept.
    notes: [...interned.notes, ...payload.notes],
    payloadGzip: payload.payloadGzip,
    payloadSha256: payload.payloadSha256,
    payloadSize: payload.payloadSize,
  };
}

/** A new release counts as many new entries: each costs every later import of a feed. */
const entriesPerRelease = 100;

/** An upload names a release that is not stored and that its host may not bring. */
class RefusedRelease extends Error {
  override readonly name = 'RefusedRelease';
  readonly refusal: ReleaseRefusal;

  constructor(refusal: ReleaseRefusal) {
    super(refusal);
    this.refusal = refusal;
  }
}

const releaseRefusals: Readonly<Record<ReleaseRefusal, string>> = {
  too_many_of_host:
    'No host has reported this release before, and the host has reported too many different releases. Delete the host and enrol it again.',
  too_many:
    'No host has reported this release before, and the service knows as many releases as it can keep. Delete the hosts that report releases that do not exist, and send the report again an hour later.',
};

/** An upload has more new entries than its host may add in 24 hours. */
class TooManyNew extends Error {
  override readonly name = 'TooManyNew';
  readonly entries: number;

  constructor(entries: number) {
    super(`${entries} new entries`);
    this.entries = entries;
  }
}

/** An upload of a new host has more new entries than are left of the shared allowance. */
class NotYet extends Error {
  override readonly name = 'NotYet';
  readonly entries: number;
  /** Seconds until enough is left; null if the allowance can never cover them. */
  readonly seconds: number | null;

  constructor(entries: number, seconds: number | null) {
    super(`${entries} new entries of a new host`);
    this.entries = entries;
    this.seconds = seconds;
  }
}

async function endWith(
  context: ReportParserContext,
  upload: ReceivedUpload,
  error: unknown,
): Promise<ItemResult<void>> {
  if (error instanceof NotYet) {
    const { entries, seconds } = error;
    await context.uploads.postpone(upload.id, seconds);
    context.log.info(
      { uploadId: upload.id, entries, seconds },
      'upload of a new host waits for the allowance that it shares',
    );
    return done;
  }
  if (error instanceof RefusedRelease) {
    const errors = [{ pointer: '/platform/os_version_id', detail: releaseRefusals[error.refusal] }];
    await reject(context, upload, { code: 'rate_limited', errors });
    return done;
  }
  if (!(error instanceof TooManyNew)) return noteFailure(context, upload, error);
  const detail = `It brings ${error.entries} package versions, updates or changes that are new, more than its host may bring in 24 hours (uploads.new_packages_per_day).`;
  await reject(context, upload, { code: 'rate_limited', errors: [{ pointer: '/packages', detail }] });
  return done;
}

async function noteFailure(
  context: ReportParserContext,
  upload: ReceivedUpload,
  error: unknown,
): Promise<ItemResult<void>> {
  // An unavailable database is not the upload's fault.
  if (upload.attempts < maxFailures || isDatabaseAway(error)) return { kind: 'failed', error };
  await quarantine(context, upload);
  context.log.error({ uploadId: upload.id, err: error }, 'upload quarantined');
  return done;
}

async function quarantine({ uploads }: ReportParserContext, upload: ReceivedUpload): Promise<void> {
  await uploads.reject(upload.id, 'internal', [
    {
      pointer: '',
      detail: `Parsing it failed repeatedly. Its bytes are kept; the log says more.`,
    },
  ]);
}
