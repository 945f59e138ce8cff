import {
  type ColumnDef,
  createSortedRowModel,
  rowSelectionFeature,
  rowSortingFeature,
  tableFeatures,
} from '@tanstack/react-table';
import type { ReactNode } from 'react';
import { compareCells } from './sort-rows.ts';

/** The features of TanStack Table that the dashboard uses. */
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
  /** Whether only screen readers get the header, because the cells explain themselves. */
  readonly hideHeader?: boolean;
  readonly cell: (row: Row) => ReactNode;
  /** Sort key of a row; a column without one is not sortable, unless the server sorts. */
  readonly sortBy?: (row: Row) => string | number;
  /** Whether the server can sort by `id`. */
  readonly serverSort?: boolean;
  readonly align?: 'end';
  /** CSS width; required in virtual tables. */
  readonly width?: string;
  /** Smallest screen that shows the column. */
  readonly from?: 'medium' | 'wide' | 'widest';
}

/** A column by its id and header. */
export function column<Row>(
  id: string,
  header: string,
  rest: Omit<Column<Row>, 'id' | 'header'>,
): Column<Row> {
  return { id, header, ...rest };
}

/** Converts columns for TanStack Table. Text is sorted in alphabetical order, numbers within it by value. */
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
