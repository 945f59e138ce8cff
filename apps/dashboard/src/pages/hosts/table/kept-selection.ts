import { session } from '../../../api/session.ts';
import { tabNotes } from '../../../api/tab-notes.ts';
import { isSelectedHost, type SelectedHost, selectedHost } from './selected-host.ts';

/** Largest selection of named hosts: as many as one action may have. */
export const maxSelected = 1_000;

/** What is selected in the lists of hosts of this tab. */
export interface KeptSelection {
  /** By id, in the order of selection; each with the name of the list in which it was selected. */
  readonly hosts: ReadonlyMap<string, { readonly host: SelectedHost; readonly list: string }>;
  /** The name of the list of which all hosts are selected without being named. */
  readonly everythingOf: string | null;
}

const note = 'selected-hosts';
const nothing: KeptSelection = { hosts: new Map(), everythingOf: null };
const listeners = new Set<() => void>();
let owner = session.current()?.user.id;
let current = selectionOf(owner);

/** The selection of hosts, kept while other pages are open and over reloads, until the session ends. */
export const kept = {
  current: (): KeptSelection => current,
  set(next: KeptSelection): void {
    current = next;
    if (owner !== undefined) tabNotes.write(note, owner, noteOf(next));
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
  if (user === owner) return;
  owner = user;
  kept.set(selectionOf(user));
});

function noteOf({ hosts, everythingOf }: KeptSelection): unknown {
  if (hosts.size === 0 && everythingOf === null) return undefined;
  return {
    hosts: [...hosts.values()].map(({ host, list }) => ({ host: selectedHost(host), list })),
    everythingOf,
  };
}

/** What this tab kept for a user. Anything but a selection counts as nothing. */
function selectionOf(user: string | undefined): KeptSelection {
  const value = user === undefined ? undefined : tabNotes.read(note, user);
  if (typeof value !== 'object' || value === null) return nothing;
  const { hosts, everythingOf } = value as { hosts?: unknown; everythingOf?: unknown }; // Both are checked.
  if (typeof everythingOf === 'string') return { hosts: new Map(), everythingOf };
  if (!Array.isArray(hosts) || !hosts.every(isKeptHost)) return nothing;
  const named = hosts.slice(0, maxSelected).map(({ host, list }) => [host.id, { host, list }] as const);
  return { hosts: new Map(named), everythingOf: null };
}

function isKeptHost(value: unknown): value is { readonly host: SelectedHost; readonly list: string } {
  if (typeof value !== 'object' || value === null) return false;
  const { host, list } = value as { host?: unknown; list?: unknown }; // Both are checked.
  return typeof list === 'string' && isSelectedHost(host);
}
