import { type ComponentProps, useState } from 'react';
import { LongTable } from '../../design/table/long-table.tsx';
import styles from './host.module.css';

interface FoldedTableProps<Row extends object> extends ComponentProps<typeof LongTable<Row>> {
  /** The heading after the number of rows, for one row and for several. */
  readonly words: readonly [one: string, many: string];
}

/** A table folded behind its number of rows, rendered when it is opened; nothing without rows. */
export function FoldedTable<Row extends object>({ words: [one, many], ...table }: FoldedTableProps<Row>) {
  const [isOpen, setIsOpen] = useState(false);
  const { length } = table.rows;
  if (length === 0) return null;
  return (
    <details className={styles['details']} onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary>{`${length} ${length === 1 ? one : many}`}</summary>
      {isOpen && <LongTable {...table} />}
    </details>
  );
}
