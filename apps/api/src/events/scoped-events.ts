import type { ServerEvent, ServerEventName } from '@plimsoll/contract';
import { type HostScope, scopeKey } from '@plimsoll/model';

/** Reads the ids of the hosts of a scope: those among `ids`, or all if it is null. */
export type FindHostsInScope = (
  scope: HostScope,
  ids: readonly string[] | null,
) => Promise<readonly string[]>;

/** Reduces events to the hosts of readers who are limited to tags. */
export interface ScopedEvents {
  /** From now on events are reduced for one more reader of a scope; call the result when the reader has left. */
  join(scope: HostScope): () => void;
  /**
   * What a reader of a scope may know of an event, in the order of the calls. For the reader a host that gets its first
   * such tag is created, and one that loses the last is deleted; `fleet` follows only changes of its own hosts and of
   * feeds.
   */
  reduce(scope: HostScope, event: ServerEvent): Promise<readonly ServerEvent[]>;
}

interface View {
  readers: number;
  /** The hosts that exist for its readers; null: not known, so that they have to fetch everything again. */
  known: Set<string> | null;
  /** The end of the work so far. */
  last: Promise<unknown>;
}

const everything: readonly ServerEventName[] = ['host', 'pull_job', 'upload', 'feed', 'fleet'];
const fleetChanged: ServerEvent = { name: 'fleet', data: {} };

/** Reduces events with the tags that hosts have at the time. `onError` is told why a reader was sent a `resync`. */
export function createScopedEvents(find: FindHostsInScope, onError: (error: unknown) => void): ScopedEvents {
  const views = new Map<string, View>();
  const load = async (view: View, scope: HostScope): Promise<void> => {
    view.known = null;
    view.known = new Set(await find(scope, null));
  };
  const inTurn = <T>(view: View, work: () => Promise<T>): Promise<T> => {
    const done = view.last.then(work);
    view.last = done.catch(() => undefined);
    return done;
  };
  return {
    join(scope) {
      const key = scopeKey(scope);
      const view = views.get(key) ?? { readers: 0, known: null, last: Promise.resolve() };
      if (view.readers === 0) {
        views.set(key, view);
        void inTurn(view, () => load(view, scope)).catch(onError);
      }
      view.readers += 1;
      return () => {
        view.readers -= 1;
        if (view.readers === 0) views.delete(key);
      };
    },
    reduce(scope, event) {
      const view = views.get(scopeKey(scope));
      if (view === undefined) return Promise.resolve([]);
      return inTurn(view, async () => {
        try {
          if (view.known !== null && event.name !== 'resync')
            return await reduced(view.known, event, scope, find);
          await load(view, scope);
          return [event.name === 'resync' ? event : { name: 'resync', data: { events: [...everything] } }];
        } catch (error) {
          onError(error);
          view.known = null;
          return [{ name: 'resync', data: { events: [...everything] } }];
        }
      });
    },
  };
}

async function reduced(
  known: Set<string>,
  event: Exclude<ServerEvent, { readonly name: 'resync' }>,
  scope: HostScope,
  find: FindHostsInScope,
): Promise<readonly ServerEvent[]> {
  switch (event.name) {
    case 'host': {
      const { created, changed, deleted } = event.data;
      const data = hostChanges(known, {
        gone: deleted,
        touched: [...created, ...changed],
        seen: new Set(await find(scope, [...created, ...changed])),
      });
      const isEmpty = Object.values(data).every((ids) => ids.length === 0);
      return isEmpty ? [] : [{ name: 'host', data }, fleetChanged];
    }
    case 'pull_job': {
      const seen = new Set(await find(scope, event.data.pull_jobs.map(hostOf)));
      const pull_jobs = event.data.pull_jobs.filter((job) => seen.has(job.host_id));
      return pull_jobs.length === 0 ? [] : [{ name: 'pull_job', data: { pull_jobs } }];
    }
    case 'upload': {
      const seen = new Set(await find(scope, event.data.uploads.map(hostOf)));
      const uploads = event.data.uploads.filter((upload) => seen.has(upload.host_id));
      return uploads.length === 0 ? [] : [{ name: 'upload', data: { uploads } }];
    }
    case 'feed':
      return [event, fleetChanged];
    case 'fleet':
      return [];
    default:
      return event satisfies never;
  }
}

function hostOf({ host_id }: { readonly host_id: string }): string {
  return host_id;
}

/** What changed of the known hosts, which are brought up to date. */
function hostChanges(
  known: Set<string>,
  hosts: {
    readonly gone: readonly string[];
    readonly touched: readonly string[];
    readonly seen: ReadonlySet<string>;
  },
): { created: string[]; changed: string[]; deleted: string[] } {
  const { gone, touched, seen } = hosts;
  const [visible, hidden] = [touched.filter((id) => seen.has(id)), touched.filter((id) => !seen.has(id))];
  const created = visible.filter((id) => !known.has(id));
  const changed = visible.filter((id) => known.has(id));
  const deleted = [...gone, ...hidden].filter((id) => known.delete(id));
  for (const id of created) known.add(id);
  return { created, changed, deleted };
}
