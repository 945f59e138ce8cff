import type { Host } from '@plimsoll/contract';
import { createContext, useContext, useMemo, useState } from 'react';
import { noSelection, type Selection, useRowSelection } from '../../../design/table/selection.ts';

/** Largest selection of named hosts: as many as one action may have. */
export const maxSelected = 1_000;

/** The selected hosts: named ones, also of lists with other filters, or all that match the filters. */
export interface HostSelection extends Selection<Host> {
  /** How many of the named ones were selected with other filters: they may not be in the list. */
  readonly elsewhere: number;
  /** Whether all hosts that match are selected without being named: there can be more than `maxSelected`. */
  readonly isEverything: boolean;
  readonly setEverything: () => void;
}

/**
 * The selection for the list named `key`. Named hosts stay selected in lists with other filters, so that hosts can be
 * searched for one after the other; all that match are those of one list.
 */
export function useNewSelection(key: string): HostSelection {
  const named = useRowSelection('named', idOf, maxSelected);
  const [listOf, setListOf] = useState<ReadonlyMap<string, string>>(new Map());
  const [everythingOf, setEverythingOf] = useState<string | null>(null);
  const isEverything = everythingOf === key;
  return useMemo(() => {
    const set = (hosts: readonly Host[]) => {
      setEverythingOf(null);
      setListOf(new Map(hosts.map(({ id }) => [id, (named.has(id) ? listOf.get(id) : null) ?? key])));
      named.set(hosts);
    };
    return {
      ...named,
      isEverything,
      elsewhere: named.rows.filter(({ id }) => listOf.get(id) !== key).length,
      has: (id) => isEverything || named.has(id),
      set,
      setEverything: () => {
        set([]);
        setEverythingOf(key);
      },
      // A host fewer than all: nothing is selected.
      toggle: (host) =>
        set(
          isEverything
            ? []
            : named.has(host.id)
              ? named.rows.filter(({ id }) => id !== host.id)
              : [...named.rows, host],
        ),
    };
  }, [named, listOf, isEverything, key]);
}

const idOf = ({ id }: Host) => id;

/** Provides the selection to the rows. */
export const SelectionContext = createContext<HostSelection>({
  ...noSelection(),
  isEverything: false,
  elsewhere: 0,
  setEverything: () => undefined,
});

/** The selection of the surrounding list. */
export function useSelection(): HostSelection {
  return useContext(SelectionContext);
}
