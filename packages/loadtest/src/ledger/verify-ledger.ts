import { groupBy } from '@plimsoll/model';
import { unwantedAnswer } from '../loadtest-error.ts';
import { inLanes } from '../service/in-lanes.ts';
import type { ServiceAnswer, ServiceClient } from '../service/service-client.ts';
import { isAccepted, type SentUpload } from './ledger.ts';

/** A difference between the ledger and the service. */
export interface LedgerProblem {
  readonly kind:
    | 'host_missing'
    | 'upload_lost'
    | 'upload_rejected'
    | 'upload_unfinished'
    | 'superseded_by_nothing'
    | 'not_accepted'
    | 'newest_differs';
  readonly hostId: string;
  readonly detail: string;
}

/** The result of comparing a ledger with the service. */
export interface Verification {
  readonly hosts: number;
  /** Accepted reports with new content; each was looked up. */
  readonly uploads: number;
  readonly problems: readonly LedgerProblem[];
}

/** How a verification asks the service. */
export interface VerifyOptions {
  readonly client: ServiceClient;
  /** A user's session. */
  readonly session: string;
  readonly lanes: number;
  /** For how long it waits for uploads that have not ended, in milliseconds. */
  readonly patienceMs: number;
}

const ended: ReadonlySet<string> = new Set(['matched', 'superseded', 'rejected']);
const pauseMs = 200;

/**
 * Compares a ledger with the service: every host exists, every report was accepted in the end, every accepted upload
 * has reached an end and was not rejected, and each host's newest snapshot is the last report sent.
 */
export async function verifyLedger(
  uploads: readonly SentUpload[],
  options: VerifyOptions,
): Promise<Verification> {
  const byHost = groupBy(uploads, ({ hostId }) => hostId);
  const deadline = performance.now() + options.patienceMs;
  const problems: LedgerProblem[] = [];
  await inLanes(byHost, options.lanes, async ([hostId, sent]) => {
    problems.push(...(await verifyHost(hostId, sent, { ...options, deadline })));
  });
  const accepted = uploads.filter((upload) => isAccepted(upload) && upload.answer === 'queued');
  return { hosts: byHost.size, uploads: accepted.length, problems };
}

interface StoredUpload {
  readonly id: string;
  readonly state: string;
  readonly error_code: string | null;
}

interface HostCheck extends VerifyOptions {
  readonly deadline: number;
}

async function verifyHost(
  hostId: string,
  sent: readonly SentUpload[],
  check: HostCheck,
): Promise<readonly LedgerProblem[]> {
  const problem = (kind: LedgerProblem['kind'], detail: string): LedgerProblem => ({ kind, hostId, detail });
  const reports = [...groupBy(sent, ({ report }) => report).values()];
  const refused = reports
    .filter((attempts) => !attempts.some(isAccepted))
    .map((attempts) =>
      problem(
        'not_accepted',
        `report ${attempts[0]?.report}: ${attempts.at(-1)?.status} ${attempts.at(-1)?.answer}`,
      ),
    );
  const accepted = sent.filter(isAccepted);
  const wanted = new Set(accepted.map(({ uploadId }) => uploadId).filter((id) => id !== null));
  const stored = await storedUploads(hostId, wanted, check);
  if (stored === null) return [...refused, problem('host_missing', 'the service does not know the host')];
  const lost = [...wanted].filter((id) => !stored.has(id)).map((id) => problem('upload_lost', id));
  const judged = [...wanted].flatMap((id) => endOf(stored.get(id), problem));
  return [...refused, ...lost, ...judged, ...(await newestOf(hostId, accepted, stored, check, problem))];
}

function endOf(
  upload: StoredUpload | undefined,
  problem: (kind: LedgerProblem['kind'], detail: string) => LedgerProblem,
): readonly LedgerProblem[] {
  if (upload === undefined) return [];
  if (!ended.has(upload.state)) return [problem('upload_unfinished', `${upload.id} is ${upload.state}`)];
  if (upload.state === 'rejected') return [problem('upload_rejected', `${upload.id}: ${upload.error_code}`)];
  return [];
}

/** The stored uploads with wanted ids, once all have ended or the time is up; null if the host does not exist. */
async function storedUploads(
  hostId: string,
  wanted: ReadonlySet<string>,
  check: HostCheck,
): Promise<ReadonlyMap<string, StoredUpload> | null> {
  for (;;) {
    const found = await listUploads(hostId, wanted, check);
    if (found === null) return null;
    const open = [...found.values()].filter(({ state }) => !ended.has(state));
    if (open.length === 0 || performance.now() > check.deadline) return found;
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

async function listUploads(
  hostId: string,
  wanted: ReadonlySet<string>,
  check: HostCheck,
): Promise<ReadonlyMap<string, StoredUpload> | null> {
  const found = new Map<string, StoredUpload>();
  let next: string | null = `/hosts/${hostId}/uploads?limit=100`;
  while (next !== null && (found.size < wanted.size || wanted.size === 0)) {
    const answer: ServiceAnswer = await ask(next, check);
    if (answer.status === 404) return null;
    const page = requireOk(answer, 'the uploads of a host') as readonly StoredUpload[]; // the contract's type
    for (const upload of page) if (wanted.has(upload.id)) found.set(upload.id, upload);
    next = wanted.size === 0 ? null : answer.nextPage;
  }
  return found;
}

async function newestOf(
  hostId: string,
  accepted: readonly SentUpload[],
  stored: ReadonlyMap<string, StoredUpload>,
  check: HostCheck,
  problem: (kind: LedgerProblem['kind'], detail: string) => LedgerProblem,
): Promise<readonly LedgerProblem[]> {
  const last = accepted.at(-1);
  if (last === undefined || last.uploadId === null) return [];
  const state = stored.get(last.uploadId)?.state;
  if (state === 'superseded')
    return [problem('superseded_by_nothing', `${last.uploadId} was the last report`)];
  if (state !== 'matched') return [];
  const answer = await ask(`/hosts/${hostId}/snapshots?limit=1`, check);
  if (answer.status === 404) return [problem('host_missing', 'the host was deleted meanwhile')];
  const [newest] = requireOk(answer, 'the snapshots of a host') as readonly {
    readonly id: string;
    readonly payload_sha256: string;
  }[]; // the contract's type
  const sent = accepted.find(({ uploadId, answer: said }) => uploadId === last.uploadId && said === 'queued');
  const isSame =
    newest?.id === last.uploadId && (sent === undefined || sameHash(newest.payload_sha256, sent.sha256));
  if (isSame) return [];
  return [problem('newest_differs', `sent ${last.uploadId}, stored ${newest?.id ?? 'none'}`)];
}

function sameHash(stored: string, sent: string): boolean {
  return stored.toLowerCase() === sent.toLowerCase();
}

function ask(path: string, { client, session }: HostCheck): Promise<ServiceAnswer> {
  return client.send({ path, token: session });
}

function requireOk(answer: ServiceAnswer, what: string): unknown {
  if (answer.status !== 200) throw unwantedAnswer(what, answer);
  return answer.body;
}
