import { api } from '../../../api/client.ts';
import type { HostQuery } from '../host-query.ts';
import { type ActionInput, requestOf } from './action-input.tsx';
import type { BulkAction } from './bulk-actions.ts';

/** Hosts of one request: as many as one action may have. */
const hostsPerRequest = 1_000;
/** Refused hosts that are listed. */
const listedRefusals = 100;

/** What became of hosts that were selected by filters. */
export interface EverythingProgress {
  readonly of: number;
  readonly done: number;
  readonly unchanged: number;
  readonly refused: number;
  /** The first ones that were refused. */
  readonly refusals: readonly { readonly id: string; readonly name: string; readonly detail: string }[];
}

/** The number of hosts that the user agreed to, and the filters that select them. */
export interface Agreed {
  readonly total: number;
  readonly filters: HostQuery;
}

/**
 * Does an action to all hosts that filters select, some per request. Rejects before anything is done if they select
 * another number of hosts than agreed. What was done before an abort or a failure stays done.
 */
export async function runEverything(
  action: BulkAction,
  { total, filters }: Agreed,
  { input, signal }: { readonly input: ActionInput; readonly signal: AbortSignal },
  onProgress: (progress: EverythingProgress) => void,
): Promise<void> {
  const { sort: _, ...selected } = filters;
  const ids = await api.get('/hosts/ids', { query: selected, signal });
  if (ids.length !== total)
    throw new Error(
      `The filters select ${ids.length} hosts now, not ${total}. Nothing was done: look at the list again.`,
    );
  let progress: EverythingProgress = { of: total, done: 0, unchanged: 0, refused: 0, refusals: [] };
  onProgress(progress);
  for (let first = 0; first < ids.length && !signal.aborted; first += hostsPerRequest) {
    const hosts = ids.slice(first, first + hostsPerRequest);
    const answer = await api.post('/hosts/actions', { body: { ...requestOf(action.kind, input), hosts } });
    const refusals = answer.hosts.flatMap(({ host_id, display_name, outcome, detail }) =>
      outcome === 'refused' ? [{ id: host_id, name: display_name ?? host_id, detail: detail ?? '' }] : [],
    );
    progress = {
      of: total,
      done: progress.done + answer.done,
      unchanged: progress.unchanged + answer.unchanged,
      refused: progress.refused + answer.refused,
      refusals: [...progress.refusals, ...refusals].slice(0, listedRefusals),
    };
    onProgress(progress);
  }
}
