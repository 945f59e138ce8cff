import { createContext, useContext, useMemo, useSyncExternalStore } from 'react';
import { noSelection, type Selection } from '../../../design/table/selection.ts';
import { type KeptSelection, kept, maxSelected } from './kept-selection.ts';
import type { SelectedHost } from './selected-host.ts';

/** The selected hosts: named ones, also of lists with other filters, or all that match the filters. */
export interface HostSelection extends Selection<SelectedHost> {
  /** How many of the named ones are not in the list, or were selected with other filters. */
  readonly elsewhere: number;
  /** Whether `elsewhere` is what is not in the list. */
  readonly isElsewhereKnown: boolean;
  /** Whether all hosts that match are selected without being named: there can be more than `maxSelected`. */
  readonly isEverything: boolean;
  readonly setEverything: () => void;
}

/**
 * The selection for the list named `key`. Named hosts stay selected in lists with other filters and while other pages are
 * open and over reloads, so that hosts can be looked for and looked at one after the other; all that match are those of one list.
 * @param listed all hosts of the list, if they are read.
 */
export function useNewSelection(key: string, listed: readonly SelectedHost[] | null): HostSelection {
  const now = useSyncExternalStore(kept.subscribe, kept.current);
  return useMemo(() => selectionOf(now, key, listed), [now, key, listed]);
}

function selectionOf(now: KeptSelection, key: string, listed: readonly SelectedHost[] | null): HostSelection {
  const isEverything = now.everythingOf === key;
  // What is read again is newer than what was selected.
  const fresh = new Map((listed ?? []).map((host) => [host.id, host]));
  const rows = [...now.hosts.values()].map(({ host }) => fresh.get(host.id) ?? host);
  const isFull = rows.length >= maxSelected;
  const set = (hosts: readonly SelectedHost[]): void =>
    kept.set({
      everythingOf: null,
      hosts: new Map(
        hosts
          .slice(0, maxSelected)
          .map((host) => [host.id, { host, list: now.hosts.get(host.id)?.list ?? key }]),
      ),
    });
  return {
    rows,
    isFull,
    isEverything,
    isElsewhereKnown: listed !== null,
    elsewhere: [...now.hosts.values()].filter(({ host, list }) =>
      listed === null ? list !== key : !fresh.has(host.id),
    ).length,
    has: (id) => isEverything || now.hosts.has(id),
    set,
    setEverything: () => kept.set({ everythingOf: key, hosts: new Map() }),
    // A host fewer than all: nothing is selected.
    toggle: (host) =>
      set(
        isEverything
          ? []
          : now.hosts.has(host.id)
            ? rows.filter(({ id }) => id !== host.id)
            : [...rows, host],
      ),
  };
}

/** Provides the selection to the rows. */
export const SelectionContext = createContext<HostSelection>({
  ...noSelection(),
  isEverything: false,
  elsewhere: 0,
  isElsewhereKnown: true,
  setEverything: () => undefined,
});

/** The selection of the surrounding list. */
export function useSelection(): HostSelection {
  return useContext(SelectionContext);
}
