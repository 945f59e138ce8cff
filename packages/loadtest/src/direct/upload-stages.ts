import {
  createHostCounter,
  createInterner,
  createParsedUploadStore,
  createUploadAllowances,
  createUploadStore,
  type Database,
  lagRulesOf,
  type UploadLimits,
} from '@plimsoll/db';
import { backdateUpload } from '@plimsoll/db/seeding';
import type { HostId, Snapshot, UploadId } from '@plimsoll/model';
import { createMatchHandlers, createReportParser } from '@plimsoll/pipeline';
import { observedRepositories, oldestListAt, storeUpload } from '@plimsoll/pipeline/intake';
import { createLogger } from '@plimsoll/process';
import type { Bell, jobs } from '@plimsoll/queue';
import { readEnvelope } from '@plimsoll/reports';

/** What one host sends at one time. */
export interface DirectReport {
  readonly hostId: HostId;
  readonly snapshot: Snapshot;
  readonly payload: Uint8Array;
  readonly gzip: Uint8Array;
  /** The time of its reception; null: now. */
  readonly receivedAt: Date | null;
}

/** The stages of an upload in this process, by the same code as in the API and the workers. */
export interface UploadStages {
  /** Stores, parses and matches a report. Call it for several hosts at a time: they share transactions. */
  take(report: DirectReport): Promise<UploadId>;
}

/** A seeded fleet is not limited: its hosts send years within minutes. */
const unlimited: UploadLimits = {
  burst: 1e6,
  everySeconds: 0.001,
  bytesPerDay: 1e15,
  newEntriesPerDay: 1e9,
  pending: { uploadsPerDay: 1e9, bytesPerDay: 1e15, newEntriesPerDay: 1e9 },
  approvedByToken: { bytesPerDay: 1e15, newEntriesPerDay: 1e9 },
};

/** The stages on one database. Its role needs the privileges of the API and of both workers: the owner's. */
export function createUploadStages(db: Database): UploadStages {
  const log = createLogger({ app: 'seed', level: 'error' });
  const silent: Bell<typeof jobs> = { ring: () => undefined, ringAll: () => undefined };
  const uploads = createUploadStore(db, unlimited);
  const parser = createReportParser({
    uploads: createParsedUploadStore(db),
    interner: createInterner(db),
    allowances: createUploadAllowances(db, unlimited),
    bell: silent,
    log,
  });
  const lag = lagRulesOf({ 'hosts.repository_max_lag_days': 7, 'hosts.repository_max_lag_exceptions': [] });
  const matcher = createMatchHandlers({ db, counter: createHostCounter(), lag, log }, silent);
  const turn = () => ({ signal: new AbortController().signal, attempt: 1, starts: 1, lastAttempt: false });
  return {
    async take({ hostId, snapshot, payload, gzip, receivedAt }) {
      const facts = {
        payloadKind: 'protobuf',
        contentHash: contentHashOf(payload),
        bootedAt: snapshot.observed.bootedAt,
        listsAt: oldestListAt(snapshot.observed),
        repositories: observedRepositories(snapshot.observed),
        collectedAt: snapshot.collectedAt,
      } as const;
      const body = { gzip, size: payload.length };
      const id = await storeUpload({ hostId, door: 'agent', facts, body }, { uploads, bell: silent });
      if (id === null) throw new Error(`host ${hostId} was deleted while it was seeded`);
      if (receivedAt !== null) await backdateUpload(db, id, receivedAt);
      await parser['report-parse']({ uploadId: id }, turn());
      await matcher['advisory-match']({ uploadId: id }, turn());
      return id;
    },
  };
}

/** The hash by which the service recognises an unchanged report. */
export function contentHashOf(payload: Uint8Array): Uint8Array {
  const envelope = readEnvelope(payload);
  if (envelope.kind === 'malformed') throw new Error(`a seeded report is malformed: ${envelope.detail}`);
  return envelope.contentHash;
}
