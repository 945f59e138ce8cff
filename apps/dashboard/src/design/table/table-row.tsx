import type { Ref } from 'react';
import styles from './table.module.css';
import type { Column } from './table-columns.ts';
import { cellClass } from './table-head.tsx';

interface TableRowProps<Row> {
  /** Index of the row in its list, from 0. */
  readonly index: number;
  /** Undefined until it is read. */
  readonly row: Row | undefined;
  readonly columns: readonly Column<Row>[];
  readonly isSelected?: boolean;
  /** Pixels; without it the content sets the height. */
  readonly height?: number;
  readonly ref?: Ref<HTMLTableRowElement>;
}

/** One row of a virtual table. */
export function TableRow<Row>({ index, row, columns, isSelected, height, ref }: TableRowProps<Row>) {
  return (
    <tr
      ref={ref}
      className={styles['row']}
      aria-rowindex={index + 2}
      data-index={index}
      {...(height !== undefined && { style: { height } })}
      {...(isSelected !== undefined && { 'data-selected': isSelected })}
    >
      {columns.map((column) => (
        <td key={column.id} className={cellClass(styles['cell'], column)}>
          {row === undefined ? <span className={styles['pending']} /> : column.cell(row)}
        </td>
      ))}
    </tr>
  );
}
