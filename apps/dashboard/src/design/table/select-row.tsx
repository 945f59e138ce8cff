import { Checkbox } from '../form/fields.tsx';
import { printable } from '../text/printable.ts';
import { selectColumnId } from './select-column.ts';
import type { Selection } from './selection.ts';
import styles from './table.module.css';
import type { Column } from './table-columns.ts';

interface SelectRowProps<Row> {
  readonly selection: Selection<Row>;
  readonly row: Row;
  readonly id: string;
  /** The row's name, of any length. */
  readonly name: string;
}

/** The checkbox of a row, as large as a finger. */
export function SelectRow<Row>({ selection: { has, isFull, toggle }, row, id, name }: SelectRowProps<Row>) {
  const isSelected = has(id);
  return (
    <span className={styles['select']}>
      <Checkbox
        aria-label={`Select ${printable(name, 100)}`}
        isSelected={isSelected}
        isDisabled={isFull && !isSelected}
        onChange={() => toggle(row)}
      />
    </span>
  );
}

/** The first column of rows that can be selected, on every screen. */
export function selectColumnOf<Row>(cell: Column<Row>['cell']): Column<Row> {
  return { id: selectColumnId, header: 'Select', hideHeader: true, cell, width: '2.75rem' };
}
