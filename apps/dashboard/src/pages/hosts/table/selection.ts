import type { Host } from '@plimsoll/contract';
import { createContext, useContext, useMemo, useState } from 'react';

/** More than that are not selected at once: each is a request of its own. */
export const mostSelected = 1_000;

/** The hosts that were picked to do something with. */
export interface Selection {
  readonly hosts: readonly Host[];
  readonly has: (id: string) => boolean;
  /** Whether another one can be picked. */
  readonly isFull: boolean;
  readonly toggle: (host: Host) => void;
  readonly set: (hosts: readonly Host[]) => void;
}

const none: ReadonlyMap<string, Host> = new Map();

/** A selection within the list named by `key`: what is not in the list is not selected either. */
export function useNewSelection(key: string): Selection {
  const [picked, setPicked] = useState({ key, hosts: none });
  const hosts = picked.key === key ? picked.hosts : none;
  return useMemo(() => {
    const set = (all: readonly Host[]) =>
      setPicked({ key, hosts: new Map(all.slice(0, mostSelected).map((host) => [host.id, host])) });
    const list = [...hosts.values()];
    return {
      hosts: list,
      has: (id) => hosts.has(id),
      isFull: hosts.size >= mostSelected,
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

/** Hands the selection to the rows. */
export const SelectionContext = createContext<Selection>(nothing);

/** The selection of the list around. */
export function useSelection(): Selection {
  return useContext(SelectionContext);
}
