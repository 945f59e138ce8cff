import type { Header, ReactTable, RowData } from '@tanstack/react-table';
import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react';
import type { CSSProperties } from 'react';
import { Unseen } from '../states.tsx';
import { selectColumnId } from './select-column.ts';
import styles from './table.module.css';
import type { Column, Features } from './table-columns.ts';

interface TableHeadProps<Row extends RowData> {
  readonly table: ReactTable<Features, Row>;
  readonly columns: readonly Column<Row>[];
}

/** CSS classes of a column's cells. */
export function cellClass(
  base: string | undefined,
  column: { id?: string; align?: 'end'; from?: 'medium' | 'wide' | 'widest' } | undefined,
) {
  return [
    base,
    column?.align === 'end' ? styles['end'] : '',
    column?.id === selectColumnId ? styles['forScreens'] : '',
    column?.from === undefined ? '' : styles[column.from],
  ].join(' ');
}

/** The header row; sortable columns have a button. */
export function TableHead<Row extends RowData>({ table, columns }: TableHeadProps<Row>) {
  return (
    <thead>
      {table.getHeaderGroups().map((group) => (
        <tr key={group.id}>
          {group.headers.map((header) => (
            <HeaderCell
              key={header.id}
              header={header}
              column={columns.find(({ id }) => id === header.column.id)}
            />
          ))}
        </tr>
      ))}
    </thead>
  );
}

interface HeaderCellProps<Row extends RowData> {
  readonly header: Header<Features, Row, unknown>;
  readonly column: Column<Row> | undefined;
}

function HeaderCell<Row extends RowData>({ header, column }: HeaderCellProps<Row>) {
  const sorted = header.column.getIsSorted();
  const words = column?.header ?? header.column.id;
  const className = cellClass(styles['head'], column);
  // The style sheet uses it, because paper needs other widths.
  const style =
    column?.width === undefined ? undefined : ({ '--column-width': column.width } as CSSProperties); // a custom property
  if (!header.column.getCanSort()) {
    return (
      <th scope="col" className={className} style={style}>
        {column?.hideHeader === true ? <Unseen>{words}</Unseen> : words}
      </th>
    );
  }
  const ariaSort = sorted === 'asc' ? 'ascending' : sorted === 'desc' ? 'descending' : 'none';
  const Icon = sorted === 'asc' ? ArrowUp : sorted === 'desc' ? ArrowDown : ChevronsUpDown;
  return (
    <th scope="col" className={className} style={style} aria-sort={ariaSort}>
      <button type="button" className={styles['sort']} onClick={header.column.getToggleSortingHandler()}>
        {words}
        <Icon aria-hidden className={sorted === false ? styles['idle'] : ''} />
      </button>
    </th>
  );
}
