import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { type Answer, api, type Page, type PathOf, type RequestArgs } from './client.ts';

/** The rows of a list that were read so far, and how many there are. */
export interface RowsSoFar<Row> {
  readonly rows: readonly Row[];
  readonly total: number;
}

/** The same of one list, with what its headers say of all of it; see Page. */
export interface ListSoFar<Row> extends RowsSoFar<Row> {
  readonly said: Readonly<Record<string, string>>;
}

type RowOf<P extends PathOf<'get'>> = Answer<'get', P> extends readonly (infer Row)[] ? Row : never;

/** Reads a list page by page: the first now, the next ones by `fetchNextPage`. `limit`: rows of a page. */
export function useApiPages<P extends PathOf<'get'>>(path: P, limit: number, ...args: RequestArgs<'get', P>) {
  const request = { ...args[0], query: { ...args[0]?.query, limit: String(limit) } };
  return useInfiniteQuery({
    queryKey: [path, request],
    queryFn: ({ pageParam, signal }): Promise<Page<Answer<'get', P>>> => {
      const query = { ...request.query, ...(pageParam !== null && { cursor: pageParam }) };
      return api.page(path, ...([{ ...request, query, signal }] as unknown as RequestArgs<'get', P>)); // the same, one page of it
    },
    initialPageParam: null as string | null, // the first page has no cursor
    getNextPageParam: ({ cursor }) => cursor,
    placeholderData: keepPreviousData,
    select: ({ pages }): ListSoFar<RowOf<P>> => ({
      rows: pages.flatMap(({ rows }) => rows as unknown as readonly RowOf<P>[]), // lists alone are read by pages
      total: pages.at(-1)?.total ?? 0,
      said: pages.at(-1)?.said ?? {},
    }),
  });
}
