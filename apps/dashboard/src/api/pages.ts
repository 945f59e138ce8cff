import { infiniteQueryOptions, keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { type Answer, api, type Page, type PathOf, type RequestArgs } from './client.ts';

/** The rows that were read so far, and the total of the list. */
export interface RowsSoFar<Row> {
  readonly rows: readonly Row[];
  readonly total: number;
}

/** RowsSoFar of one list with its `plimsoll-` headers; see Page. */
export interface ListSoFar<Row> extends RowsSoFar<Row> {
  readonly headers: Readonly<Record<string, string>>;
}

type RowOf<P extends PathOf<'get'>> = Answer<'get', P> extends readonly (infer Row)[] ? Row : never;

/** Options to read a list page by page: `useInfiniteQuery(apiPages('/hosts', 100))`. `limit`: rows per page. */
export function apiPages<P extends PathOf<'get'>>(path: P, limit: number, ...args: RequestArgs<'get', P>) {
  const request = { ...args[0], query: { ...args[0]?.query, limit: String(limit) } };
  return infiniteQueryOptions({
    queryKey: [path, request],
    queryFn: ({ pageParam, signal }): Promise<Page<Answer<'get', P>>> => {
      const query = { ...request.query, ...(pageParam !== null && { cursor: pageParam }) };
      return api.page(path, ...([{ ...request, query, signal }] as unknown as RequestArgs<'get', P>)); // types of the contract
    },
    initialPageParam: null as string | null, // the first page has no cursor
    getNextPageParam: ({ cursor }) => cursor,
    placeholderData: keepPreviousData,
    select: ({ pages }): ListSoFar<RowOf<P>> => ({
      rows: pages.flatMap(({ rows }) => rows as unknown as readonly RowOf<P>[]), // only lists have pages
      total: pages.at(-1)?.total ?? 0,
      headers: pages.at(-1)?.headers ?? {},
    }),
  });
}

/** Reads a list page by page; `fetchNextPage` reads the next page. `limit`: rows per page. */
export function useApiPages<P extends PathOf<'get'>>(path: P, limit: number, ...args: RequestArgs<'get', P>) {
  return useInfiniteQuery(apiPages(path, limit, ...args));
}
