import type { RowData } from '@tanstack/react-table';
import { useCallback, useEffect, useState } from 'react';
import { messageOf } from '../../api/problem.ts';
import { Button } from '../button.tsx';
import { Notice } from '../notice.tsx';
import { DataTable } from './data-table.tsx';
import type { Column } from './table-columns.ts';
import { VirtualTable } from './virtual-table.tsx';

/** A list that is read page by page, as `useApiPages` returns it. */
export interface PagedQuery {
  readonly hasNextPage: boolean;
  readonly isFetching: boolean;
  readonly isError: boolean;
  readonly isFetchNextPageError: boolean;
  readonly error: Error | null;
  readonly fetchNextPage: () => unknown;
  readonly refetch: () => unknown;
}

interface EndlessTableProps<Row> {
  /** Accessible name of the table. */
  readonly label: string;
  /** With widths, not sortable: rows keep the server's order. Keep them stable. */
  readonly columns: readonly Column<Row>[];
  /** The rows that were read, or the part of them to show. */
  readonly rows: readonly Row[];
  readonly rowId: (row: Row) => string;
  readonly query: PagedQuery;
}

/** Distance from the last row, in rows, at which the next page is read. */
const readAhead = 30;
/** Up to this number of rows the whole list is in the document. */
const maxWholeRows = 120;

/** A list that reads its next page when its end becomes visible. */
export function EndlessTable<Row extends RowData & object>(props: EndlessTableProps<Row>) {
  const { label, columns, rows, rowId, query } = props;
  const onSeen = useNextPageAtEnd(query, rows.length);
  const isWhole = !query.hasNextPage && rows.length <= maxWholeRows;
  return (
    <>
      {isWhole ? (
        <DataTable label={label} columns={columns} rows={rows} rowId={rowId} />
      ) : (
        <VirtualTable
          label={label}
          columns={columns}
          count={rows.length + (query.hasNextPage ? 1 : 0)}
          rowAt={(index) => rows[index]}
          rowId={rowId}
          onSeen={onSeen}
          sorting={unsorted}
          onSort={keepOrder}
        />
      )}
      {query.isError && <NotRead query={query} />}
    </>
  );
}

/** What was not read of a list of which a part is shown, and why. */
function NotRead({ query }: { readonly query: PagedQuery }) {
  const { isFetchNextPageError: isRest, error, fetchNextPage, refetch } = query;
  return (
    <Notice tone="critical">
      {isRest ? 'The rest could not be read.' : 'The list could not be read again: it may have changed.'}{' '}
      {messageOf(error)}{' '}
      <Button onPress={() => void (isRest ? fetchNextPage() : refetch())}>Try again</Button>
    </Notice>
  );
}

const unsorted: [] = [];
/** No column is sortable. */
const keepOrder = (): void => undefined;

/** Reads the next page while the end of the rows is visible; stops after a failure. */
function useNextPageAtEnd(query: PagedQuery, count: number): (first: number, last: number) => void {
  const [last, setLast] = useState(0);
  const { hasNextPage, isFetching, isError, fetchNextPage } = query;
  useEffect(() => {
    if (hasNextPage && !isFetching && !isError && last + readAhead >= count) void fetchNextPage();
  }, [hasNextPage, isFetching, isError, fetchNextPage, last, count]);
  return useCallback((_first: number, end: number) => setLast(end), []);
}
