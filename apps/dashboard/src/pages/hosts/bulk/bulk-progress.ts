import type { HostActionsAnswer } from '@plimsoll/contract';
import type { SelectedHost } from '../table/selected-host.ts';

/** A host on which the action failed, and the reason. */
export interface BulkFailure {
  readonly host: SelectedHost;
  readonly error: unknown;
  /** It no longer exists for the reader: there is nothing to try again. */
  readonly isGone?: boolean;
}

/** Progress of the action. */
export interface BulkProgress {
  readonly done: readonly SelectedHost[];
  readonly failed: readonly BulkFailure[];
}

/** What became of the hosts. Those that were as wanted before count as done. */
export function progressOf(answer: HostActionsAnswer, hosts: readonly SelectedHost[]): BulkProgress {
  const refused = new Map(
    answer.hosts.filter(({ outcome }) => outcome === 'refused').map((one) => [one.host_id, one]),
  );
  return {
    done: hosts.filter(({ id }) => !refused.has(id)),
    failed: hosts.flatMap((host) => {
      const one = refused.get(host.id);
      return one === undefined ? [] : [failureOf(host, one)];
    }),
  };
}

function failureOf(host: SelectedHost, { code, detail }: HostActionsAnswer['hosts'][number]): BulkFailure {
  return code === 'not_found'
    ? {
        host,
        isGone: true,
        error: new Error('It is no longer there: it was deleted, or you may not see it.'),
      }
    : { host, error: new Error(detail ?? 'It was refused.') };
}

/** The hosts that are not done and for which the action can be tried again. */
export function leftOf(
  hosts: readonly SelectedHost[],
  { done, failed }: BulkProgress,
): readonly SelectedHost[] {
  const ended = new Set([...done, ...failed.filter(({ isGone }) => isGone === true).map(({ host }) => host)]);
  return hosts.filter((host) => !ended.has(host));
}
