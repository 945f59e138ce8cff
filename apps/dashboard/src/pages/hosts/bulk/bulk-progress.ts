import type { Host, HostActionsAnswer } from '@plimsoll/contract';

/** A host on which the action failed, and the reason. */
export interface BulkFailure {
  readonly host: Host;
  readonly error: unknown;
}

/** Progress of the action. */
export interface BulkProgress {
  readonly done: readonly Host[];
  readonly failed: readonly BulkFailure[];
}

/** What became of the hosts. Those that were as wanted before count as done. */
export function progressOf(answer: HostActionsAnswer, hosts: readonly Host[]): BulkProgress {
  const refused = new Map(
    answer.hosts.flatMap(({ host_id, outcome, detail }) =>
      outcome === 'refused' ? [[host_id, new Error(detail ?? 'It was refused.')] as const] : [],
    ),
  );
  return {
    done: hosts.filter(({ id }) => !refused.has(id)),
    failed: hosts.flatMap((host) => {
      const error = refused.get(host.id);
      return error === undefined ? [] : [{ host, error }];
    }),
  };
}
