import { type RowData, type SortingState, useTable } from '@tanstack/react-table';
import { useMemo, useState } from 'react';
import { InTable } from './in-table.ts';
import styles from './table.module.css';
import { type Column, columnDefs, features } from './table-columns.ts';
import { cellClass, TableHead } from './table-head.tsx';

interface DataTableProps<Row> {
  /** Accessible name of the table. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowId: (row: Row) => string;
  readonly sorting?: SortingState;
  /** Whether columns have the widths they name, and the table that of the page; otherwise the content sets them. */
  readonly isFitted?: boolean;
}

/**
 * A complete list of up to some hundred rows, sorted in the browser. Use `VirtualTable` for longer ones. Keep `columns`
 * stable.
 */
export function DataTable<Row extends RowData>({
  label,
  columns,
  rows,
  rowId,
  sorting = [],
  isFitted = false,
}: DataTableProps<Row>) {
  const [order, setOrder] = useState<SortingState>(sorting);
  const definitions = useMemo(() => columnDefs(columns), [columns]);
  const table = useTable({
    features,
    columns: definitions,
    data: rows as Row[], // the table never writes to it
    getRowId: rowId,
    state: { sorting: order },
    onSortingChange: setOrder,
  });
  return (
    // biome-ignore lint/a11y/useSemanticElements: not part of a form, and a region would be a needless landmark
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling element must be reachable by keyboard
    <section role="group" className={styles['frame']} aria-label={label} tabIndex={0}>
      <table
        className={`${styles['table']} ${isFitted ? `${styles['fixed']} ${styles['measured']}` : ''}`}
        aria-label={label}
      >
        <TableHead table={table} columns={columns} />
        <InTable value>
          <tbody>
            {table.getRowModel().rows.map((row) => (
              <tr key={row.id} className={styles['row']}>
                {columns.map((column) => (
                  <td key={column.id} className={cellClass(styles['cell'], column)}>
                    {column.cell(row.original)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </InTable>
      </table>
    </section>
  );
}
