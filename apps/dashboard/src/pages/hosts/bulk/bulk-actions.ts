import type { Host } from '@plimsoll/contract';
import { api } from '../../../api/client.ts';
import { pullErrorWords } from '../../../words/pull-words.ts';

/** Pulls are waited for where they are few; of more than that it is only said that they are queued. */
const awaitedPulls = 50;
const waitSeconds = 30;
const mostTags = 50;

/** How an action on many hosts goes on from one host to all. */
export interface BulkRun {
  /** The tag that was asked for; empty where none is. */
  readonly tag: string;
  /** Hosts it is done on. */
  readonly count: number;
  readonly signal: AbortSignal;
}

/** Something that can be done with many hosts. */
export interface BulkAction {
  readonly kind: 'approve' | 'tag' | 'untag' | 'pull' | 'delete';
  /** What the button says. */
  readonly words: string;
  /** What was done, after the number of hosts: "approved". */
  readonly done: string;
  /** Why some of the hosts that were picked are left out. */
  readonly leftOut: string;
  /** What it means, before it is done. */
  readonly meaning: string;
  /** Whether there is anything to do on a host. */
  readonly concerns: (host: Host) => boolean;
  /** Does it on one host; rejects with what to tell where it cannot be done. */
  readonly run: (host: Host, run: BulkRun) => Promise<unknown>;
}

async function changeTags(host: Host, signal: AbortSignal, change: (tags: readonly string[]) => string[]) {
  // As they are now, not as they were when the list was read.
  const { tags } = await api.get('/hosts/{id}', { params: { id: host.id }, signal });
  const next = change(tags);
  if (next.length > mostTags) throw new Error(`The host already has ${mostTags} tags.`);
  await api.patch('/hosts/{id}', { params: { id: host.id }, body: { tags: next }, signal });
}

async function pull({ id }: Host, { count, signal }: BulkRun): Promise<void> {
  const job = await api.post('/hosts/{id}/pull-now', {
    params: { id },
    signal,
    wait: count <= awaitedPulls ? waitSeconds : undefined,
  });
  if (job.status === 'failed')
    throw new Error(
      job.error_message ?? (job.error_code === null ? 'It failed.' : pullErrorWords[job.error_code].words),
    );
}

/** What can be done with many hosts, in the order it is offered. */
export const bulkActions: readonly BulkAction[] = [
  {
    kind: 'approve',
    words: 'Approve',
    done: 'approved',
    leftOut: 'already approved',
    meaning: 'Approved hosts are included in all totals.',
    concerns: ({ approval_status }) => approval_status === 'pending',
    run: ({ id }, { signal }) => api.post('/hosts/{id}/approve', { params: { id }, signal }),
  },
  {
    kind: 'tag',
    words: 'Tag',
    done: 'tagged',
    leftOut: '',
    meaning: 'Hosts can be filtered by tag.',
    concerns: () => true,
    run: (host, { tag, signal }) => changeTags(host, signal, (tags) => [...new Set([...tags, tag])]),
  },
  {
    kind: 'untag',
    words: 'Remove tag',
    done: 'changed',
    leftOut: 'without any tag',
    meaning: 'Hosts without this tag are not changed.',
    concerns: ({ tags }) => tags.length > 0,
    run: (host, { tag, signal }) => changeTags(host, signal, (tags) => tags.filter((each) => each !== tag)),
  },
  {
    kind: 'pull',
    words: 'Pull now',
    done: 'pulled or queued',
    leftOut: 'not pulled over SSH, or not approved',
    meaning: `With ${awaitedPulls} hosts or fewer, results are shown here.`,
    concerns: ({ onboarding_mode, approval_status }) =>
      onboarding_mode === 'ssh' && approval_status === 'approved',
    run: pull,
  },
  {
    kind: 'delete',
    words: 'Delete',
    done: 'deleted',
    leftOut: '',
    meaning: 'This also deletes their reports, snapshots, findings, pulls and tokens. This cannot be undone.',
    concerns: () => true,
    run: ({ id }, { signal }) => api.delete('/hosts/{id}', { params: { id }, signal }),
  },
];
