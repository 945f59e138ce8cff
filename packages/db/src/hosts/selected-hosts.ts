import type { HostColumns } from './host-columns.ts';
import { orderOf } from './host-orders.ts';
import type { HostSortColumn } from './overview.ts';

/**
 * Some hosts of the columns, by position, as of when they were selected. Keeps the last order that was asked for, because a list asks
 * again for each of its pages.
 */
export class SelectedHosts {
  readonly total: number;
  private readonly columns: HostColumns;
  /** 1 at the positions that are selected; null: all hosts, also those that are added later. */
  private readonly selected: Uint8Array | null;
  /** The selected hosts in the order of all that is given by `all`. */
  private ordered: { readonly all: Int32Array; readonly own: Int32Array } | null = null;

  private constructor(columns: HostColumns, selected: Uint8Array | null, total: number) {
    this.columns = columns;
    this.selected = selected;
    this.total = total;
  }

  static all(columns: HostColumns): SelectedHosts {
    return new SelectedHosts(columns, null, columns.hosts);
  }

  /** @param positions without duplicates */
  static at(columns: HostColumns, positions: Int32Array): SelectedHosts {
    const selected = new Uint8Array(columns.size);
    for (const position of positions) selected[position] = 1;
    return new SelectedHosts(columns, selected, positions.length);
  }

  has(position: number): boolean {
    if (this.selected === null) return this.columns.isPresent(position);
    return this.selected[position] === 1;
  }

  /** Those that still exist, in ascending order of a column; ties are ordered by id. Valid until the next change of a host. */
  inOrder(column: HostSortColumn): Int32Array {
    const all = orderOf(this.columns, column);
    const { selected } = this;
    if (selected === null) return all;
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
