import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { isBelow } from '../../../api/query-path.ts';
import type { SelectedHost } from '../table/selected-host.ts';
import type { ActionInput } from './action-input.tsx';
import type { BulkAction } from './bulk-actions.ts';
import type { BulkProgress } from './bulk-progress.ts';
import { runBulk } from './run-bulk.ts';

/** State of an action on many hosts. */
export type BulkState =
  | { readonly kind: 'asking' }
  | { readonly kind: 'running'; readonly of: number; readonly progress: BulkProgress }
  | {
      readonly kind: 'ended';
      readonly of: number;
      readonly progress: BulkProgress;
      readonly isStopped: boolean;
    };

/** What actions on hosts change. */
export const changedPaths = ['/hosts', '/fleet', '/advisories', '/packages', '/groups', '/tags', '/findings'];

const nothing: BulkProgress = { done: [], failed: [] };

/** Starts an action on many hosts. Stopping, also by unmounting, ends the wait for its pulls. */
export function useBulk(action: BulkAction) {
  const client = useQueryClient();
  const [state, setState] = useState<BulkState>({ kind: 'asking' });
  const stopper = useRef<AbortController | null>(null);
  useEffect(() => () => stopper.current?.abort(), []);
  const start = async (hosts: readonly SelectedHost[], input: ActionInput): Promise<BulkProgress> => {
    const of = hosts.length;
    const controller = new AbortController();
    stopper.current = controller;
    const { signal } = controller;
    setState({ kind: 'running', of, progress: nothing });
    const progress = await runBulk(action, hosts, { input, signal }, (soFar) =>
      setState({ kind: 'running', of, progress: soFar }),
    ).catch((error: unknown) => {
      setState({ kind: 'asking' });
      throw error;
    });
    setState({ kind: 'ended', of, progress, isStopped: signal.aborted });
    void client.invalidateQueries({ predicate: ({ queryKey }) => isBelow(queryKey[0], changedPaths) });
    return progress;
  };
  return { state, start, stop: () => stopper.current?.abort() };
}
