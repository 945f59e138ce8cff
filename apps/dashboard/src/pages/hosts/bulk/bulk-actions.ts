import type { Host } from '@plimsoll/contract';
import { api } from '../../../api/client.ts';
import { pullErrorWords } from '../../../words/pull-words.ts';

/** Up to this number of hosts the dashboard waits for the pulls; above it they are only queued. */
const awaitedPulls = 50;
const waitSeconds = 30;
const maxTags = 50;

/** Input and limits of an action on many hosts. */
export interface BulkRun {
  /** The entered tag; empty if the action has no tag. */
  readonly tag: string;
  /** Number of hosts in the action. */
  readonly count: number;
  readonly signal: AbortSignal;
}

/** An action on many hosts. */
export interface BulkAction {
  readonly kind: 'approve' | 'tag' | 'untag' | 'pull' | 'delete';
  /** Label of the button. */
  readonly words: string;
  /** Past participle for the result: "approved". */
  readonly done: string;
  /** Why some selected hosts are left out. */
  readonly leftOut: string;
  /** The consequences, shown before the confirmation. */
  readonly meaning: string;
  /** Whether the action applies to a host. */
  readonly concerns: (host: Host) => boolean;
  /** Does the action on one host; rejects with the reason to show. */
  readonly run: (host: Host, run: BulkRun) => Promise<unknown>;
}

async function changeTags(host: Host, signal: AbortSignal, change: (tags: readonly string[]) => string[]) {
  // The current tags, not those of the list, which may be older.
  const { tags } = await api.get('/hosts/{id}', { params: { id: host.id }, signal });
  const next = change(tags);
  if (next.length > maxTags) throw new Error(`The host already has ${maxTags} tags.`);
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

/** The actions on many hosts, in display order. */
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
