import type { SortingState } from '@tanstack/react-table';
import type { Column } from './table-columns.ts';

/** The rows in the order of the sorted column; in their own order if no column is sorted. Stable in both directions. */
export function sortRows<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  sorting: SortingState,
): readonly Row[] {
  const first = sorting[0];
  const sortBy = columns.find(({ id }) => id === first?.id)?.sortBy;
  if (first === undefined || sortBy === undefined) return rows;
  const sign = first.desc ? -1 : 1;
  return [...rows].sort((one, other) => sign * compareCells(sortBy(one), sortBy(other)));
}

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** Orders two sort keys: numbers by value, everything else as text. */
export function compareCells(one: unknown, other: unknown): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  return collator.compare(String(one), String(other));
}
