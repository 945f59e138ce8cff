import type { RowData, SortingState } from '@tanstack/react-table';
import { useMemo, useState } from 'react';
import { DataTable } from './data-table.tsx';
import { sortRows } from './sort-rows.ts';
import type { Column } from './table-columns.ts';
import { VirtualTable } from './virtual-table.tsx';

interface LongTableProps<Row> {
  /** Accessible name of the table. */
  readonly label: string;
  /** With widths. Keep them stable. */
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowId: (row: Row) => string;
  /** Whether a short list has the widths of the columns, too; see DataTable. */
  readonly isFitted?: boolean;
}

/** From this number on only visible rows are in the document. */
const manyRows = 120;
const originalOrder: SortingState = [];

/** A complete list of any length, in its own order until a user sorts it, in the browser. */
export function LongTable<Row extends RowData & object>(props: LongTableProps<Row>) {
  return props.rows.length <= manyRows ? <DataTable {...props} /> : <Many {...props} />;
}

function Many<Row extends RowData & object>({ label, columns, rows, rowId }: LongTableProps<Row>) {
  const [sorting, setSorting] = useState(originalOrder);
  const sorted = useMemo(() => sortRows(rows, columns, sorting), [rows, columns, sorting]);
  return (
    <VirtualTable
      label={label}
      columns={columns}
      count={sorted.length}
      rowAt={(index) => sorted[index]}
      rowId={rowId}
      sorting={sorting}
      onSort={setSorting}
    />
  );
}
