import { type RowData, type SortingState, useTable } from '@tanstack/react-table';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'react';
import { InTable } from './in-table.ts';
import styles from './table.module.css';
import { type Column, columnDefs, features } from './table-columns.ts';
import { TableHead } from './table-head.tsx';
import { TableRow } from './table-row.tsx';
import { useIsNarrow } from './use-is-narrow.ts';
import { useIsPrinting } from './use-is-printing.ts';

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
  /**
   * Whether every row is two lines high, which lists of any length scroll by; on a phone the first line is for a cell
   * that is laid over the width of the row. Else rows are as high as their content.
   */
  readonly hasTwoLines?: boolean;
}

/** Pixels of a row of two lines, and what a row is taken for before it is measured. */
const rowHeights = { two: 76, unmeasured: 47 } as const;
const none: readonly never[] = [];
/** More rows than these are not put on paper. */
const mostPrinted = 2_000;
const grouped = new Intl.NumberFormat('en');

/** A list of any length: only visible rows are in the document. The owner of the rows sorts them. */
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
  // biome-ignore lint/correctness/useExhaustiveDependencies: another width breaks lines elsewhere
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
          {grouped.format(places.length)} of {grouped.format(count)} rows are printed.
        </p>
      )}
    </section>
  );
}

/** The places that are printed: of the first so many rows those that are read. */
function printedPlaces(count: number, rowAt: (index: number) => unknown): readonly number[] {
  const first = Array.from({ length: Math.min(count, mostPrinted) }, (_, index) => index);
  return first.filter((index) => rowAt(index) !== undefined);
}

/** Stands in for the rows that are not in the document. */
function Spacer({ height }: { readonly height: number }) {
  return (
    <tr className={styles['spacer']} aria-hidden>
      <td style={{ height }} />
    </tr>
  );
}
