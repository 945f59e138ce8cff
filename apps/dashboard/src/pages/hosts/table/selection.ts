import type { Host } from '@plimsoll/contract';
import { createContext, useContext, useMemo, useState } from 'react';

/** Largest selection: as many hosts as one action may have. */
export const maxSelected = 1_000;

/** The selected hosts. */
export interface Selection {
  readonly hosts: readonly Host[];
  readonly has: (id: string) => boolean;
  /** Whether another host can be selected. */
  readonly isFull: boolean;
  readonly toggle: (host: Host) => void;
  readonly set: (hosts: readonly Host[]) => void;
}

const none: ReadonlyMap<string, Host> = new Map();

/** The selection within the list named `key`; another list starts without a selection. */
export function useNewSelection(key: string): Selection {
  const [picked, setPicked] = useState({ key, hosts: none });
  const hosts = picked.key === key ? picked.hosts : none;
  return useMemo(() => {
    const set = (all: readonly Host[]) =>
      setPicked({ key, hosts: new Map(all.slice(0, maxSelected).map((host) => [host.id, host])) });
    const list = [...hosts.values()];
    return {
      hosts: list,
      has: (id) => hosts.has(id),
      isFull: hosts.size >= maxSelected,
      set,
      toggle: (host) => set(hosts.has(host.id) ? list.filter(({ id }) => id !== host.id) : [...list, host]),
    };
  }, [key, hosts]);
}

const nothing: Selection = {
  hosts: [],
  has: () => false,
  isFull: true,
  toggle: () => undefined,
  set: () => undefined,
};

/** Provides the selection to the rows. */
export const SelectionContext = createContext<Selection>(nothing);

/** The selection of the surrounding list. */
export function useSelection(): Selection {
  return useContext(SelectionContext);
}
