import type { HostColumns } from './host-columns.ts';

/**
 * Some hosts of the columns, by position, as of when they were selected. Keeps the last order that was asked for, because a list asks
 * again for each of its pages.
 */
export class SelectedHosts {
  readonly total: number;
  private readonly columns: HostColumns;
  /** 1 at the positions that are selected. */
  private readonly selected: Uint8Array;
  /** The selected hosts in the order of all that is given by `all`. */
  private ordered: { readonly all: Int32Array; readonly own: Int32Array } | null = null;

  private constructor(columns: HostColumns, selected: Uint8Array, total: number) {
    this.columns = columns;
    this.selected = selected;
    this.total = total;
  }

  /** @param positions without duplicates */
  static at(columns: HostColumns, positions: Int32Array): SelectedHosts {
    const selected = new Uint8Array(columns.size);
    for (const position of positions) selected[position] = 1;
    return new SelectedHosts(columns, selected, positions.length);
  }

  /** Those that still exist, by display name, then by id. Valid until the next change of a host. */
  byName(): Int32Array {
    const all = this.columns.byName();
    const { selected } = this;
    if (this.ordered?.all === all) return this.ordered.own;
    const own = new Int32Array(Math.min(this.total, all.length));
    let count = 0;
    for (const position of all) {
      if (selected[position] !== 1) continue;
      own[count] = position;
      count += 1;
    }
    this.ordered = { all, own: own.subarray(0, count) };
    return this.ordered.own;
  }
}
