import { QueryClient, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type Answer, api, type Page, type PathOf, type RequestArgs } from './client.ts';
import { ApiProblem } from './problem.ts';
import { isBelow } from './query-path.ts';

/** Cache key of a query: the path of the contract, then the request. */
export type ApiQueryKey = readonly [path: string, request: unknown];

/** The query cache. Retries a request twice if the server failed or did not respond; never after a 4xx response. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      retry: (failures, error) => !(error instanceof ApiProblem && error.status < 500) && failures < 2,
      retryDelay: (attempt) => 500 * 2 ** attempt,
    },
  },
});

/** Query options of a GET request: `useQuery(apiQuery('/hosts/{id}', { params: { id } }))`. */
export function apiQuery<P extends PathOf<'get'>>(path: P, ...args: RequestArgs<'get', P>) {
  const [request] = args;
  return queryOptions({
    queryKey: [path, request ?? {}] satisfies ApiQueryKey as ApiQueryKey,
    queryFn: ({ signal }): Promise<Answer<'get', P>> =>
      api.get(path, ...([{ ...request, signal }] as unknown as RequestArgs<'get', P>)), // the same request with a signal
  });
}

/** Sends a GET request and caches the response: `useApi('/hosts/{id}', { params: { id } })`. */
export function useApi<P extends PathOf<'get'>>(path: P, ...args: RequestArgs<'get', P>) {
  return useQuery(apiQuery(path, ...args));
}

/** Milliseconds. */
const ageingMs = 10 * 60_000;

/** As useApi, and reads again every ten minutes: for what becomes outdated by time alone, of which no event says so. */
export function useAgeingApi<P extends PathOf<'get'>>(path: P, ...args: RequestArgs<'get', P>) {
  return useQuery({ ...apiQuery(path, ...args), refetchInterval: ageingMs });
}

/** As useApi, with the `plimsoll-` headers of the response. */
export function useApiWithHeaders<P extends PathOf<'get'>>(path: P, ...args: RequestArgs<'get', P>) {
  const [request] = args;
  return useQuery({
    queryKey: [path, { ...request, withHeaders: true }] satisfies ApiQueryKey as ApiQueryKey,
    queryFn: ({ signal }): Promise<Page<Answer<'get', P>>> =>
      api.page(path, ...([{ ...request, signal }] as unknown as RequestArgs<'get', P>)), // the same request with a signal
  });
}

/** What a button or form does, with its state and last error. Fails at once without a connection, and is never repeated. */
export function useAction<Input = void>(action: (input: Input) => Promise<unknown>) {
  return useMutation({ mutationFn: action, networkMode: 'always' });
}

/**
 * A change through the API. On success, every query whose path starts with one of `changes` is read again.
 * `useChange((id: string) => api.delete('/hosts/{id}', { params: { id } }), ['/hosts', '/fleet'])`.
 */
export function useChange<Input = void, Output = unknown>(
  change: (input: Input) => Promise<Output>,
  changes: readonly string[],
) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: () => client.invalidateQueries({ predicate: ({ queryKey }) => isBelow(queryKey[0], changes) }),
  });
}
