import { useVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useEffect, useLayoutEffect } from 'react';
import { useIsPrinting } from './use-is-printing.ts';

interface VisibleRowsProps {
  /** The element that scrolls. */
  readonly frame: RefObject<HTMLElement | null>;
  readonly count: number;
  /** Undefined until the row is read. */
  readonly rowAt: (index: number) => unknown;
  /** Pixels; an estimate for rows that are measured. */
  readonly rowHeight: number;
  readonly isNarrow: boolean;
  /** Called with the visible indexes when they change. */
  readonly onSeen: ((first: number, last: number) => void) | undefined;
}

interface VisibleRows {
  /** Indexes of the rows to render, in order. */
  readonly places: readonly number[];
  /** Pixels of the rows above and below them. */
  readonly above: number;
  readonly below: number;
  readonly isPrinting: boolean;
  readonly measure: (row: HTMLElement | null) => void;
}

/** Largest number of rows that is printed. */
const maxPrintedRows = 2_000;

/** The part of a long list to render: the visible rows, or when printing the first rows that are read. */
export function useVisibleRows(props: VisibleRowsProps): VisibleRows {
  const { frame, count, rowAt, rowHeight, isNarrow, onSeen } = props;
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
  const isPrinting = useIsPrinting();
  return {
    places: isPrinting ? printedPlaces(count, rowAt) : seen.map(({ index }) => index),
    above: isPrinting ? 0 : (seen[0]?.start ?? 0),
    below: isPrinting ? 0 : virtualizer.getTotalSize() - (seen.at(-1)?.end ?? 0),
    isPrinting,
    measure: virtualizer.measureElement,
  };
}

/** The indexes to print: the first maxPrintedRows rows, if they are read. */
function printedPlaces(count: number, rowAt: (index: number) => unknown): readonly number[] {
  const first = Array.from({ length: Math.min(count, maxPrintedRows) }, (_, index) => index);
  return first.filter((index) => rowAt(index) !== undefined);
}
