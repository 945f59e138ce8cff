import { type RowData, type SortingState, useTable } from '@tanstack/react-table';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'react';
import styles from './table.module.css';
import { type Column, columnDefs, features } from './table-columns.ts';
import { cellClass, TableHead } from './table-head.tsx';
import { useIsNarrow } from './use-is-narrow.ts';

interface VirtualTableProps<Row> {
  /** What the table is of, for screen readers. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  /** Rows of the whole list, read or not. */
  readonly count: number;
  /** The row at a place of the list; undefined while it is not read. */
  readonly rowAt: (index: number) => Row | undefined;
  readonly rowId: (row: Row) => string;
  /** The places that are seen, as they change: what has to be read. */
  readonly onSeen?: (first: number, last: number) => void;
  readonly sorting: SortingState;
  readonly onSort: (sorting: SortingState) => void;
  readonly isSelected?: (row: Row) => boolean;
  /** Names the list; another one is shown from its start. */
  readonly list?: string;
  /** Whether what is shown is about to be replaced. */
  readonly isBusy?: boolean;
  /** Whether rows are two lines high on a phone: the first for what a cell lays over the width of the row. */
  readonly twoLinesWhereNarrow?: boolean;
}

/** Pixels of a row of one line and of two, no less than what stands in them takes: places are reckoned from them. */
const rowHeights = { one: 47, two: 72 } as const;
const none: readonly never[] = [];

/** A list of any length: rows stand in the document only while they are seen. Sorted by whoever owns the rows. */
export function VirtualTable<Row extends RowData>(props: VirtualTableProps<Row>) {
  const { label, columns, count, rowAt, rowId, onSeen, sorting, onSort, isSelected } = props;
  const { list, isBusy = false, twoLinesWhereNarrow = false } = props;
  const hasTwoLines = useIsNarrow() && twoLinesWhereNarrow;
  const rowHeight = hasTwoLines ? rowHeights.two : rowHeights.one;
  const frame = useRef<HTMLDivElement>(null);
  const definitions = useMemo(() => columnDefs(columns), [columns]);
  const table = useTable({
    features,
    columns: definitions,
    data: none as unknown as Row[], // headers and their order alone: rows come from rowAt
    manualSorting: true,
    enableSortingRemoval: false,
    state: { sorting },
    onSortingChange: (change) => onSort(typeof change === 'function' ? change(sorting) : change),
  });
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => frame.current,
    estimateSize: () => rowHeight,
    overscan: 12,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was measured holds for the height before
  useLayoutEffect(() => virtualizer.measure(), [virtualizer, rowHeight]);
  const seen = virtualizer.getVirtualItems();
  const first = seen[0]?.index ?? 0;
  const last = seen.at(-1)?.index ?? 0;
  useEffect(() => onSeen?.(first, last), [onSeen, first, last]);
  const shown = useRef(list);
  useEffect(() => {
    if (shown.current === list) return;
    shown.current = list;
    frame.current?.scrollTo({ top: 0 });
  }, [list]);
  const above = seen[0]?.start ?? 0;
  const below = virtualizer.getTotalSize() - (seen.at(-1)?.end ?? 0);
  return (
    // biome-ignore lint/a11y/useSemanticElements: no part of a form, and as a region one landmark too many
    <section
      ref={frame}
      role="group"
      className={styles['tall']}
      aria-label={label}
      aria-busy={isBusy}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
      tabIndex={0}
    >
      <table
        className={`${styles['table']} ${styles['fixed']} ${hasTwoLines ? styles['twoLines'] : ''}`}
        aria-label={label}
        aria-rowcount={count + 1}
      >
        <TableHead table={table} columns={columns} />
        <tbody>
          {above > 0 && <Spacer height={above} />}
          {seen.map(({ index }) => {
            const row = rowAt(index);
            return (
              <tr
                key={row === undefined ? `place-${index}` : rowId(row)}
                className={styles['row']}
                aria-rowindex={index + 2}
                style={{ height: rowHeight }}
                {...(row !== undefined && isSelected !== undefined && { 'data-selected': isSelected(row) })}
              >
                {columns.map((column) => (
                  <td key={column.id} className={cellClass(styles['cell'], column)}>
                    {row === undefined ? <span className={styles['pending']} /> : column.cell(row)}
                  </td>
                ))}
              </tr>
            );
          })}
          {below > 0 && <Spacer height={below} />}
        </tbody>
      </table>
    </section>
  );
}

/** Stands in for the rows that are not in the document. */
function Spacer({ height }: { readonly height: number }) {
  return (
    <tr className={styles['spacer']} aria-hidden>
      <td style={{ height }} />
    </tr>
  );
}
