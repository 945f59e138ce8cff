import {
  type Interner,
  type Interning,
  isDatabaseAway,
  type ParsedUpload,
  type ParsedUploadStore,
  type ReceivedUpload,
  type UploadAllowances,
} from '@plimsoll/db';
import type { UploadId } from '@plimsoll/model';
import type { Logger } from '@plimsoll/observability';
import {
  type Bell,
  createTwoLanes,
  type Handler,
  type ItemResult,
  type jobs,
  type PayloadOf,
} from '@plimsoll/queue';
import { internSnapshot } from './intern-snapshot.ts';
import { type ParsedPayload, parseUpload } from './parse-upload.ts';

/** Uploads parsed in one transaction: fewer and larger ones are what ingest is fast by. */
const maxBatch = 16;
const maxBatchDelayMs = 5;

/** From this size on, before compression, uploads are parsed one by one, beside the others and not among them. */
const largeBytes = 1024 * 1024;
/** So long one of those lets the others go first. */
const longestWaitMs = 5_000;
/** Each change of a package is a row that stays. What every host has of them now and then is not counted. */
const freeChanges = 100;
/** So often the rows that a batch refers to may be collected while it is interned, once in some minutes at most. */
const mostInternings = 5;

/** An upload is quarantined when parsing it failed so often. */
const maxFailures = 5;
/** And when it was begun so often without an end, because it takes the whole worker down each time. */
const maxStarts = 25;

const done: ItemResult<void> = { kind: 'done', value: undefined };

/** What parsing works with. */
export interface ReportParserContext {
  readonly uploads: ParsedUploadStore;
  readonly interner: Interner;
  readonly allowances: Pick<UploadAllowances, 'takeEntries'>;
  readonly bell: Bell<typeof jobs>;
  readonly log: Logger;
}

/** Handles `report-parse`: turns received uploads into snapshots and rings for matching them. */
export function createReportParser(
  context: ReportParserContext,
): Handler<PayloadOf<typeof jobs, 'report-parse'>> {
  const run = (ids: readonly UploadId[]) => parseBatch(context, ids);
  const lanes = createTwoLanes<UploadId, void>({
    maxSize: maxBatch,
    maxDelayMs: maxBatchDelayMs,
    longestWaitMs,
    run,
  });
  return async ({ uploadId }, { signal, attempt, starts }) => {
    const size = await context.uploads.look(uploadId);
    if (size === null) return;
    // A worker died with this upload in hand before: the next one takes no other along.
    await lanes.add(uploadId, { signal, alone: starts > attempt, isLarge: size > largeBytes });
  };
}

/** An upload that was understood. */
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

/** Null where the upload ended here. */
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

/** Interns uploads and makes snapshots of them, again where rows that they refer to were collected meanwhile. */
async function internAndSave(
  context: ReportParserContext,
  understood: readonly Understood[],
  outcomes: Map<UploadId, ItemResult<void>>,
): Promise<readonly UploadId[]> {
  const charged = new Set<UploadId>();
  for (let interning = 1; interning <= mostInternings; interning++) {
    const interner = await context.interner.begin();
    const parsed: ParsedUpload[] = [];
    for (const item of understood) {
      const { upload } = item;
      if (outcomes.has(upload.id)) continue;
      try {
        parsed.push(await internOne(context, interner, item, charged));
      } catch (error) {
        outcomes.set(upload.id, await endWith(context, upload, error));
      }
    }
    const saved = await context.uploads.save(parsed, interner.epoch);
    if (saved !== null) return saved;
  }
  throw new Error(`rows were collected during ${mostInternings} internings in a row`);
}

/** `charged` has the uploads whose changes were taken off the allowance by an earlier interning. */
async function internOne(
  { allowances, uploads }: ReportParserContext,
  interner: Interning,
  { upload, payload }: Understood,
  charged: Set<UploadId>,
): Promise<ParsedUpload> {
  const admit = async (entries: number): Promise<void> => {
    const isAdmitted = await allowances.takeEntries(upload.hostId, upload.door, entries);
    if (!isAdmitted) throw new TooManyNew(entries);
  };
  const interned = await internSnapshot(interner, payload.snapshot, upload.receivedAt, admit);
  const changes = await uploads.changesTo(upload.hostId, interned.setId);
  if (changes > freeChanges && !charged.has(upload.id)) {
    await admit(changes);
    charged.add(upload.id);
  }
  return {
    id: upload.id,
    ...interned,
    // What is said of the whole list goes first: of many notes the last are not kept.
    notes: [...interned.notes, ...payload.notes],
    payloadGzip: payload.payloadGzip,
    payloadSha256: payload.payloadSha256,
    payloadSize: payload.payloadSize,
  };
}

/** An upload brings more that is new than its host may bring in 24 hours. */
class TooManyNew extends Error {
  override readonly name = 'TooManyNew';
  readonly entries: number;

  constructor(entries: number) {
    super(`${entries} new entries`);
    this.entries = entries;
  }
}

async function endWith(
  context: ReportParserContext,
  upload: ReceivedUpload,
  error: unknown,
): Promise<ItemResult<void>> {
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
  // An absent database is nothing that an upload can be blamed for.
  if (upload.attempts < maxFailures || isDatabaseAway(error)) return { kind: 'failed', error };
  await quarantine(context, upload);
  context.log.error({ uploadId: upload.id, err: error }, 'upload quarantined');
  return done;
}

async function quarantine({ uploads }: ReportParserContext, upload: ReceivedUpload): Promise<void> {
  await uploads.reject(upload.id, 'internal', [
    {
      pointer: '',
      detail: `Parsing it failed ${upload.attempts} times. Its bytes are kept; the log says more.`,
    },
  ]);
}
