import { type ComponentProps, useState } from 'react';
import { LongTable } from '../../design/table/long-table.tsx';
import { useIsPrinting } from '../../design/table/use-is-printing.ts';
import styles from './host.module.css';

interface FoldedTableProps<Row extends object> extends ComponentProps<typeof LongTable<Row>> {
  /** The heading after the number of rows, for one row and for several. */
  readonly words: readonly [one: string, many: string];
}

/** A table folded behind its number of rows, rendered when it is opened or printed; nothing without rows. */
export function FoldedTable<Row extends object>({ words: [one, many], ...table }: FoldedTableProps<Row>) {
  const [isUnfolded, setIsUnfolded] = useState(false);
  const isPrinting = useIsPrinting();
  const isOpen = isPrinting || isUnfolded;
  const { length } = table.rows;
  if (length === 0) return null;
  return (
    <details
      className={styles['details']}
      open={isOpen}
      onToggle={({ currentTarget }) => !isPrinting && setIsUnfolded(currentTarget.open)}
    >
      <summary>{`${length} ${length === 1 ? one : many}`}</summary>
      {isOpen && <LongTable {...table} />}
    </details>
  );
}
