import { useMemo, useState } from 'react';

/** The selected rows of a list. */
export interface Selection<Row> {
  readonly rows: readonly Row[];
  readonly has: (id: string) => boolean;
  /** Whether another row can be selected. */
  readonly isFull: boolean;
  readonly toggle: (row: Row) => void;
  readonly set: (rows: readonly Row[]) => void;
}

/** A selection of nothing that cannot be changed: the default of a context. */
export function noSelection<Row>(): Selection<Row> {
  return { rows: [], has: () => false, isFull: true, toggle: () => undefined, set: () => undefined };
}

/**
 * The selection within the list named `key`; another list starts without a selection.
 * @param idOf keep it stable. @param most the largest selection.
 */
export function useRowSelection<Row>(key: string, idOf: (row: Row) => string, most: number): Selection<Row> {
  const [picked, setPicked] = useState<{ readonly key: string; readonly rows: ReadonlyMap<string, Row> }>({
    key,
    rows: new Map(),
  });
  const rows = picked.key === key ? picked.rows : null;
  return useMemo(() => {
    const chosen = rows ?? new Map<string, Row>();
    const set = (all: readonly Row[]) =>
      setPicked({ key, rows: new Map(all.slice(0, most).map((row) => [idOf(row), row])) });
    const list = [...chosen.values()];
    return {
      rows: list,
      has: (id) => chosen.has(id),
      isFull: chosen.size >= most,
      set,
      toggle: (row) =>
        set(chosen.has(idOf(row)) ? list.filter((one) => idOf(one) !== idOf(row)) : [...list, row]),
    };
  }, [key, rows, idOf, most]);
}
