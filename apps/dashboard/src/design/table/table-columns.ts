import {
  type ColumnDef,
  createSortedRowModel,
  rowSelectionFeature,
  rowSortingFeature,
  tableFeatures,
} from '@tanstack/react-table';
import type { ReactNode } from 'react';

/** What our tables use of TanStack Table. */
export const features = tableFeatures({
  rowSortingFeature,
  rowSelectionFeature,
  sortedRowModel: createSortedRowModel(),
});
export type Features = typeof features;

/** One column of a table. */
export interface Column<Row> {
  readonly id: string;
  readonly header: string;
  /** Whether the header is only for screen readers, the cells saying enough. */
  readonly hideHeader?: boolean;
  readonly cell: (row: Row) => ReactNode;
  /** What rows are sorted by; a column without it is not sortable, unless the server sorts. */
  readonly sortBy?: (row: Row) => string | number;
  /** Whether the server can sort by `id`. */
  readonly serverSort?: boolean;
  readonly align?: 'end';
  /** CSS width; needed in tables of virtual rows. */
  readonly width?: string;
  /** Left out on screens below this size. */
  readonly from?: 'medium' | 'wide';
}

/** The columns as TanStack Table takes them. Text is compared as people order it, numbers within it as numbers. */
export function columnDefs<Row extends object>(columns: readonly Column<Row>[]): ColumnDef<Features, Row>[] {
  return columns.map(({ id, header, cell, sortBy, serverSort }) => ({
    id,
    header,
    accessorFn: (row: Row) => sortBy?.(row) ?? '',
    cell: ({ row }) => cell(row.original),
    enableSorting: sortBy !== undefined || serverSort === true,
    sortFn: (one, other, columnId) => compareCells(one.getValue(columnId), other.getValue(columnId)),
    sortUndefined: false,
  }));
}

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** Orders what cells are sorted by: numbers as numbers, all else as people order text. */
export function compareCells(one: unknown, other: unknown): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  return collator.compare(String(one), String(other));
}
