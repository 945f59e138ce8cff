import type { Host } from '@plimsoll/contract';
import { createContext, useContext, useMemo, useState } from 'react';
import { noSelection, type Selection, useRowSelection } from '../../../design/table/selection.ts';

/** Largest selection of named hosts: as many as one action may have. */
export const maxSelected = 1_000;

/** The selected hosts: named ones, or all that match the filters. */
export interface HostSelection extends Selection<Host> {
  /** Whether all hosts that match are selected without being named: there can be more than `maxSelected`. */
  readonly isEverything: boolean;
  readonly setEverything: () => void;
}

/** The selection within the list named `key`; another list starts without a selection. */
export function useNewSelection(key: string): HostSelection {
  const named = useRowSelection(key, idOf, maxSelected);
  const [everythingOf, setEverythingOf] = useState<string | null>(null);
  const isEverything = everythingOf === key;
  return useMemo(() => {
    const set = (hosts: readonly Host[]) => {
      setEverythingOf(null);
      named.set(hosts);
    };
    return {
      ...named,
      isEverything,
      has: (id) => isEverything || named.has(id),
      set,
      setEverything: () => {
        named.set([]);
        setEverythingOf(key);
      },
      // A host fewer than all: nothing is selected.
      toggle: (host) => (isEverything ? set([]) : named.toggle(host)),
    };
  }, [named, isEverything, key]);
}

const idOf = ({ id }: Host) => id;

/** Provides the selection to the rows. */
export const SelectionContext = createContext<HostSelection>({
  ...noSelection(),
  isEverything: false,
  setEverything: () => undefined,
});

/** The selection of the surrounding list. */
export function useSelection(): HostSelection {
  return useContext(SelectionContext);
}
