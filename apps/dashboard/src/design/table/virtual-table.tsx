import { type RowData, type SortingState, useTable } from '@tanstack/react-table';
import { type RefObject, useEffect, useMemo, useRef } from 'react';
import { groupedNumber } from '../number-words.ts';
import { InTable } from './in-table.ts';
import styles from './table.module.css';
import { type Column, columnDefs, features } from './table-columns.ts';
import { TableHead } from './table-head.tsx';
import { TableRow } from './table-row.tsx';
import { useIsNarrow } from './use-is-narrow.ts';
import { useVisibleRows } from './use-visible-rows.ts';

interface VirtualTableProps<Row> {
  /** Accessible name of the table. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  /** Number of rows of the whole list, read or not. */
  readonly count: number;
  /** The row at an index; undefined until it is read. */
  readonly rowAt: (index: number) => Row | undefined;
  readonly rowId: (row: Row) => string;
  /** Called with the visible indexes when they change: these rows must be read. */
  readonly onSeen?: (first: number, last: number) => void;
  readonly sorting: SortingState;
  readonly onSort: (sorting: SortingState) => void;
  readonly isSelected?: (row: Row) => boolean;
  /** Identity of the list; another value scrolls to the start. */
  readonly list?: string;
  /** Whether the shown rows are about to be replaced. */
  readonly isBusy?: boolean;
  /**
   * Whether every row has the fixed height of two lines, which lists of any length need for scrolling. On a phone, one
   * cell then covers the first line of the row. Otherwise the content sets the height.
   */
  readonly hasTwoLines?: boolean;
}

/** Height of a two-line row in pixels; also the estimate before a row is measured. */
const rowHeights = { two: 76, unmeasured: 47 } as const;
const none: readonly never[] = [];

/** A list of any length: only visible rows are in the document. The caller sorts them. */
export function VirtualTable<Row extends RowData>(props: VirtualTableProps<Row>) {
  const { label, columns, count, rowAt, rowId, isSelected, isBusy = false, hasTwoLines = false } = props;
  const isNarrow = useIsNarrow();
  const rowHeight = hasTwoLines ? rowHeights.two : rowHeights.unmeasured;
  const frame = useRef<HTMLDivElement>(null);
  const table = useHeader(columns, props.sorting, props.onSort);
  const rows = useVisibleRows({ frame, count, rowAt, rowHeight, isNarrow, onSeen: props.onSeen });
  useScrollToStart(frame, props.list);
  const rowsClass = !hasTwoLines ? styles['measured'] : isNarrow ? styles['twoLines'] : '';
  return (
    // biome-ignore lint/a11y/useSemanticElements: not part of a form, and a region would be a needless landmark
    <section
      ref={frame}
      role="group"
      className={styles['tall']}
      aria-label={label}
      aria-busy={isBusy}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling element must be reachable by keyboard
      tabIndex={0}
    >
      <table
        className={`${styles['table']} ${styles['fixed']} ${rowsClass}`}
        aria-label={label}
        aria-rowcount={count + 1}
      >
        <TableHead table={table} columns={columns} />
        <InTable value>
          <tbody>
            {rows.above > 0 && <Spacer height={rows.above} />}
            {rows.places.map((index) => {
              const row = rowAt(index);
              return (
                <TableRow
                  key={row === undefined ? `place-${index}` : rowId(row)}
                  index={index}
                  row={row}
                  columns={columns}
                  {...(hasTwoLines ? { height: rowHeight } : { ref: rows.measure })}
                  {...(row !== undefined && isSelected !== undefined && { isSelected: isSelected(row) })}
                />
              );
            })}
            {rows.below > 0 && <Spacer height={rows.below} />}
          </tbody>
        </InTable>
      </table>
      {rows.isPrinting && <PrintedPart printed={rows.places.length} count={count} />}
    </section>
  );
}

function useHeader<Row extends RowData>(
  columns: readonly Column<Row>[],
  sorting: SortingState,
  onSort: (sorting: SortingState) => void,
) {
  const definitions = useMemo(() => columnDefs(columns), [columns]);
  return useTable({
    features,
    columns: definitions,
    data: none as unknown as Row[], // the table model makes only headers and order; rows come from rowAt
    manualSorting: true,
    enableSortingRemoval: false,
    state: { sorting },
    onSortingChange: (change) => onSort(typeof change === 'function' ? change(sorting) : change),
  });
}

function useScrollToStart(frame: RefObject<HTMLElement | null>, list: string | undefined): void {
  const shown = useRef(list);
  useEffect(() => {
    if (shown.current === list) return;
    shown.current = list;
    frame.current?.scrollTo({ top: 0 });
  }, [frame, list]);
}

function PrintedPart({ printed, count }: { readonly printed: number; readonly count: number }) {
  if (printed >= count) return null;
  return (
    <p className={styles['leftOut']}>
      {groupedNumber(printed)} of {groupedNumber(count)} rows are printed.
    </p>
  );
}

/** Fills the height of the rows that are not in the document. */
function Spacer({ height }: { readonly height: number }) {
  return (
    <tr className={styles['spacer']} aria-hidden>
      <td style={{ height }} />
    </tr>
  );
}
