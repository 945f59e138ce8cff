import type { ServiceClient } from './service-client.ts';

/** Measures for some uploads how long after their acceptance the new state of the host is visible. */
export interface Follower {
  /** Begins to follow an upload that was accepted just now, one of `every`. */
  follow(hostId: string, uploadId: string): void;
  /** Waits for the uploads that are followed; the milliseconds of each, Infinity for one without an end. */
  finish(): Promise<readonly number[]>;
}

const pollMs = 20;
/** Asks rarely about an upload that waits long, because asking takes time from the service; so a time is exact to a tenth. */
const pollPart = 0.1;

/** Follows one of `every` uploads by asking for the host's newest ones; gives an upload up after `patienceMs`. */
export function createFollower(
  client: ServiceClient,
  {
    session,
    every,
    patienceMs,
  }: { readonly session: string; readonly every: number; readonly patienceMs: number },
): Follower {
  let seen = 0;
  const followed: Promise<number>[] = [];
  const ask = async (hostId: string, uploadId: string): Promise<number> => {
    const startedAt = performance.now();
    while (performance.now() - startedAt < patienceMs) {
      const { status, body } = await client.send({
        path: `/hosts/${hostId}/uploads?limit=10`,
        token: session,
      });
      const uploads = (status === 200 ? body : []) as readonly { id: string; state: string }[]; // the contract's type
      const state = uploads.find(({ id }) => id === uploadId)?.state;
      if (state === 'matched' || state === 'superseded') return performance.now() - startedAt;
      const waitedMs = performance.now() - startedAt;
      await new Promise((resolve) => setTimeout(resolve, Math.max(pollMs, waitedMs * pollPart)));
    }
    return Number.POSITIVE_INFINITY;
  };
  return {
    follow(hostId, uploadId) {
      seen += 1;
      if (seen % every === 0 || seen === 1) followed.push(ask(hostId, uploadId));
    },
    finish: () => Promise.all(followed),
  };
}
