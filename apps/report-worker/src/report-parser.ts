import {
  type Interner,
  isDatabaseAway,
  type ParsedUpload,
  type ParsedUploadStore,
  type ReceivedUpload,
} from '@plimsoll/db';
import type { UploadId } from '@plimsoll/model';
import type { Logger } from '@plimsoll/observability';
import {
  type Bell,
  batchJobs,
  type Handler,
  type ItemResult,
  type jobs,
  type PayloadOf,
} from '@plimsoll/queue';
import { internSnapshot } from './intern-snapshot.ts';
import { parseUpload } from './parse-upload.ts';

/** Uploads parsed in one transaction: fewer and larger ones are what ingest is fast by. */
const maxBatch = 16;
const maxBatchDelayMs = 5;

/** An upload is quarantined when parsing it failed so often. */
const maxFailures = 5;
/** And when it was begun so often without an end, because it takes the whole worker down each time. */
const maxStarts = 25;

const done: ItemResult<void> = { kind: 'done', value: undefined };

/** What parsing works with. */
export interface ReportParserContext {
  readonly uploads: ParsedUploadStore;
  readonly interner: Interner;
  readonly bell: Bell<typeof jobs>;
  readonly log: Logger;
}

/** Handles `report-parse`: turns received uploads into snapshots and rings for matching them. */
export function createReportParser(
  context: ReportParserContext,
): Handler<PayloadOf<typeof jobs, 'report-parse'>> {
  const batcher = batchJobs<UploadId, void>({
    maxSize: maxBatch,
    maxDelayMs: maxBatchDelayMs,
    run: (ids) => parseBatch(context, ids),
  });
  // A worker died with this upload in hand before: the next one takes no other along.
  return ({ uploadId }, { signal, attempt, starts }) =>
    batcher.add(uploadId, { signal, alone: starts > attempt });
}

async function parseBatch(
  context: ReportParserContext,
  ids: readonly UploadId[],
): Promise<readonly ItemResult<void>[]> {
  const received = await context.uploads.begin(ids);
  const outcomes = new Map<UploadId, ItemResult<void>>();
  const parsed: ParsedUpload[] = [];
  for (const upload of received) {
    try {
      const result = await parseOne(context, upload);
      if (result !== null) parsed.push(result);
    } catch (error) {
      outcomes.set(upload.id, await noteFailure(context, upload, error));
    }
  }
  const saved = await context.uploads.save(parsed);
  context.bell.ringAll(
    'advisory-match',
    saved.map((uploadId) => ({ uploadId })),
  );
  return ids.map((id) => outcomes.get(id) ?? done);
}

/** Null where the upload ended here. */
async function parseOne(context: ReportParserContext, upload: ReceivedUpload): Promise<ParsedUpload | null> {
  if (upload.attempts > maxStarts) {
    await quarantine(context, upload);
    return null;
  }
  const payload = await parseUpload(upload);
  if (payload.kind === 'rejected') {
    await context.uploads.reject(upload.id, payload.code, payload.errors);
    context.log.info({ uploadId: upload.id, code: payload.code }, 'upload rejected');
    return null;
  }
  const interned = await internSnapshot(context.interner, payload.snapshot, upload.receivedAt);
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
