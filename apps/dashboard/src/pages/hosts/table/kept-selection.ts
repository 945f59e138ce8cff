import type { Host } from '@plimsoll/contract';
import { session } from '../../../api/session.ts';

/** What is selected in the lists of hosts of this tab. */
export interface KeptSelection {
  /** By id, in the order of selection; each with the name of the list in which it was selected. */
  readonly hosts: ReadonlyMap<string, { readonly host: Host; readonly list: string }>;
  /** The name of the list of which all hosts are selected without being named. */
  readonly everythingOf: string | null;
}

const nothing: KeptSelection = { hosts: new Map(), everythingOf: null };
const listeners = new Set<() => void>();
let current = nothing;
let owner = session.current()?.user.id;

/** The selection of hosts, kept while other pages are open, until the session ends or the tab is loaded anew. */
export const kept = {
  current: (): KeptSelection => current,
  set(next: KeptSelection): void {
    current = next;
    for (const listener of listeners) listener();
  },
  /** Takes a host out that no longer exists. */
  forget(id: string): void {
    if (!current.hosts.has(id)) return;
    kept.set({ ...current, hosts: new Map([...current.hosts].filter(([each]) => each !== id)) });
  },
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};

session.subscribe(() => {
  const user = session.current()?.user.id;
  if (user !== owner) kept.set(nothing);
  owner = user;
});
