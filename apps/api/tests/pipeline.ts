import { createHash } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import { feedIds, feedsOf, type LagRules, runningKernelSubject, settleOffers } from '@plimsoll/advisories';
import {
  createFeedStore,
  createHostCounter,
  createInterner,
  createParsedUploadStore,
  createRepositoryStore,
  type FeedRead,
  type Interning,
  judgeDueRepositories,
  matchUploads,
  type ParsedUpload,
  type ReceivedUpload,
  releaseFactsOf,
  type StagedItem,
  storedFactsOf,
  withFeedImport,
} from '@plimsoll/db';
import type { FieldError, Snapshot, UploadId } from '@plimsoll/model';
import { decodeSnapshot, encodeSnapshot, parseReport, readEnvelope } from '@plimsoll/reports';
import type { TestDatabase } from '@plimsoll/testing';

const defaultLag: LagRules = { defaultDays: 7, exceptions: [] };

/** Does for uploads what the workers do, one after the other in this process: parses and matches them. */
export async function parseAndMatch(database: TestDatabase, ids: readonly UploadId[]): Promise<void> {
  const db = database.as('advisory-worker');
  await createFeedStore(db).ensure(feedIds);
  const store = createParsedUploadStore(database.as('report-worker'));
  const interner = await createInterner(database.as('report-worker')).begin();
  const received = await store.begin(ids);
  for (const upload of received) {
    const read = readPayload(upload);
    if (read.kind === 'rejected') await store.reject(upload.id, 'report_invalid', read.errors);
    else await store.save([await intern(interner, upload, read)], interner.epoch);
  }
  await matchUploads(db, ids, { counter: createHostCounter(), lag: defaultLag });
  await judgeDueRepositories(db, defaultLag, new AbortController().signal);
}

/** Does what the job `repository-judge` does at a review, by settings. */
export async function judgeRepositoriesNow(
  database: TestDatabase,
  lag: LagRules = defaultLag,
): Promise<void> {
  const db = database.as('advisory-worker');
  const store = createRepositoryStore(db);
  await store.markOutdatedJudgements(lag, 1000);
  await store.moveNewestDates();
  await judgeDueRepositories(db, lag, new AbortController().signal);
}

interface Read {
  readonly kind: 'read';
  readonly snapshot: Snapshot;
  readonly payload: Uint8Array;
}

function readPayload({
  body,
  door,
  payloadKind,
  receivedAt,
}: ReceivedUpload): Read | { readonly kind: 'rejected'; readonly errors: readonly FieldError[] } {
  const payload = gunzipSync(body);
  if (payloadKind === 'report') {
    const parsed = parseReport(door === 'agent' ? reportIn(payload) : payload, { receivedAt });
    if (parsed.kind === 'report_invalid') return { kind: 'rejected', errors: parsed.errors };
    return { kind: 'read', snapshot: parsed.snapshot, payload: encodeSnapshot(parsed.snapshot) };
  }
  const decoded = decodeSnapshot(payload, { receivedAt });
  if (decoded.kind !== 'snapshot') throw new Error(`not a snapshot: ${decoded.kind}`);
  return { kind: 'read', snapshot: decoded.snapshot, payload };
}

function reportIn(message: Uint8Array): Uint8Array {
  const envelope = readEnvelope(message);
  if (envelope.kind === 'malformed') throw new Error(envelope.detail);
  return envelope.report;
}

const admitAll = async (): Promise<void> => undefined;

async function intern(
  interner: Interning,
  upload: ReceivedUpload,
  { snapshot, payload }: Read,
): Promise<ParsedUpload> {
  const release = await interner.release(releaseFactsOf(snapshot.platform));
  const kernel = runningKernelSubject(snapshot);
  const versions = [...snapshot.packages, ...(kernel.kind === 'not_installed' ? [kernel.subject] : [])];
  const ids = await interner.packageVersions(release, versions, admitAll);
  const offers = settleOffers(snapshot.upgrades, snapshot.packages, release.name);
  const installed = ids.slice(0, snapshot.packages.length);
  return {
    id: upload.id,
    collectedAt: snapshot.collectedAt,
    schemaVersion: snapshot.schemaVersion,
    collectorVersion: snapshot.collectorVersion,
    payloadGzip: gzipSync(payload),
    payloadSha256: createHash('sha256').update(payload).digest(),
    payloadSize: payload.length,
    releaseId: release.id,
    setId: await interner.packageSet(installed),
    facts: storedFactsOf(snapshot, upload.receivedAt),
    upgradeIds: await interner.upgrades(release, offers.upgrades, admitAll),
    notes: offers.notes,
    heldIds: installed.filter((_, index) => snapshot.packages[index]?.held === true),
    runningKernelId: kernel.kind === 'not_installed' ? (ids.at(-1) ?? null) : null,
  };
}

/** Imports OSV records, or those of the feed named, as the whole of their feed. */
export async function importOsv(
  database: TestDatabase,
  records: readonly object[],
  feedId: string | null = null,
): Promise<void> {
  const db = database.as('advisory-worker');
  await createFeedStore(db).ensure(feedIds);
  await withFeedImport({ db, interner: createInterner(db) }, async (session) => {
    const read = new Map<string, FeedRead>();
    for (const record of records) {
      const item = readRecord(record, feedId);
      read.set(item.feedId, { kind: 'advisories', newest: new Date(), records: records.length });
      await session.stage('advisories', [item], { mayGoBack: true });
    }
    const end = { importId: null, recordsRead: records.length, recordsRejected: 0, errors: [] };
    const completeFeeds = [...read.keys()].map((id) => ({ feedId: id, releases: null }));
    await session.finish({ ...end, completeFeeds, feeds: read, sync: null }, createHostCounter());
  });
}

function readRecord(record: object, feedId: string | null): StagedItem<'advisories'> {
  for (const feed of feedsOf('advisories')) {
    if (feedId !== null && feed.id !== feedId) continue;
    const parsed = feed.read(record, { release: null });
    if (parsed.kind === 'skipped') continue;
    const [item] = parsed.kind === 'read' ? parsed.items : [];
    if (item === undefined) throw new Error(parsed.kind === 'rejected' ? parsed.reason : 'no advisory');
    return { feedId: feed.id, item, place: item.externalId };
  }
  throw new Error('a record of no feed');
}
