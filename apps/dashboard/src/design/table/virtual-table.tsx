import { type RowData, type SortingState, useTable } from '@tanstack/react-table';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'react';
import { groupedNumber } from '../number-words.ts';
import { InTable } from './in-table.ts';
import styles from './table.module.css';
import { type Column, columnDefs, features } from './table-columns.ts';
import { TableHead } from './table-head.tsx';
import { TableRow } from './table-row.tsx';
import { useIsNarrow } from './use-is-narrow.ts';
import { useIsPrinting } from './use-is-printing.ts';

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
/** Largest number of rows that is printed. */
const maxPrintedRows = 2_000;

/** A list of any length: only visible rows are in the document. The caller sorts them. */
export function VirtualTable<Row extends RowData>(props: VirtualTableProps<Row>) {
  const { label, columns, count, rowAt, rowId, onSeen, sorting, onSort, isSelected } = props;
  const { list, isBusy = false, hasTwoLines = false } = props;
  const isNarrow = useIsNarrow();
  const rowHeight = hasTwoLines ? rowHeights.two : rowHeights.unmeasured;
  const frame = useRef<HTMLDivElement>(null);
  const definitions = useMemo(() => columnDefs(columns), [columns]);
  const table = useTable({
    features,
    columns: definitions,
    data: none as unknown as Row[], // the table model makes only headers and order; rows come from rowAt
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
  // biome-ignore lint/correctness/useExhaustiveDependencies: lines wrap differently at another width
  useLayoutEffect(() => virtualizer.measure(), [virtualizer, isNarrow]);
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
  const rowsClass = !hasTwoLines ? styles['measured'] : isNarrow ? styles['twoLines'] : '';
  const isPrinting = useIsPrinting();
  const places = isPrinting ? printedPlaces(count, rowAt) : seen.map(({ index }) => index);
  const above = isPrinting ? 0 : (seen[0]?.start ?? 0);
  const below = isPrinting ? 0 : virtualizer.getTotalSize() - (seen.at(-1)?.end ?? 0);
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
            {above > 0 && <Spacer height={above} />}
            {places.map((index) => {
              const row = rowAt(index);
              return (
                <TableRow
                  key={row === undefined ? `place-${index}` : rowId(row)}
                  index={index}
                  row={row}
                  columns={columns}
                  {...(hasTwoLines ? { height: rowHeight } : { ref: virtualizer.measureElement })}
                  {...(row !== undefined && isSelected !== undefined && { isSelected: isSelected(row) })}
                />
              );
            })}
            {below > 0 && <Spacer height={below} />}
          </tbody>
        </InTable>
      </table>
      {isPrinting && places.length < count && (
        <p className={styles['leftOut']}>
          {groupedNumber(places.length)} of {groupedNumber(count)} rows are printed.
        </p>
      )}
    </section>
  );
}

/** The indexes to print: the first printedRows rows, if they are read. */
function printedPlaces(count: number, rowAt: (index: number) => unknown): readonly number[] {
  const first = Array.from({ length: Math.min(count, maxPrintedRows) }, (_, index) => index);
  return first.filter((index) => rowAt(index) !== undefined);
}

/** Fills the height of the rows that are not in the document. */
function Spacer({ height }: { readonly height: number }) {
  return (
    <tr className={styles['spacer']} aria-hidden>
      <td style={{ height }} />
    </tr>
  );
}
