/** A count that the API answers, and what the list has to which it belongs. */
export interface CountCheck {
  readonly what: string;
  readonly counted: number;
  readonly listed: number;
}

/** Reads an API as one of its users. Every method throws if the answer is not a success. */
export interface CountReader {
  /** The parsed body. The caller names its type. */
  body<Body>(path: string): Promise<Body>;
  /** As `body`, of a POST. */
  post<Body>(path: string, json: object): Promise<Body>;
  /** The lines of a table for spreadsheets, its head included. */
  lines(path: string): Promise<number>;
  /** The total that a list states. */
  total(path: string): Promise<number>;
  /** A number that an answer states in a header. */
  header(path: string, name: string): Promise<number>;
  /**
   * All rows of a list, page by page. `rowsOf` takes the rows out of a body that has more than them. Throws if the total
   * that the list states is not their number.
   */
  rows<Row>(path: string, rowsOf?: (body: never) => readonly Row[]): Promise<readonly Row[]>;
}

/** How much of a fleet is compared. */
export interface CountExtent {
  /** Rows of each list whose numbers are compared, spread over the list; null: all. */
  readonly rows: number | null;
  /** Hosts whose own lists are read; null: all. */
  readonly hosts: number | null;
}

/** The largest page of lists. */
const pageRows = 1000;

/** A reader of the API at `url`, without its path, with a user's token. */
export function createCountReader(url: string, token: string): CountReader {
  const ask = async (path: string, init: RequestInit = {}): Promise<Response> => {
    const response = await fetch(new URL(path, url), {
      ...init,
      headers: { ...init.headers, authorization: `Bearer ${token}` },
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response;
  };
  const get = (path: string) => ask(`/api/v1${path}`);
  const headerOf = async (path: string, name: string): Promise<number> => {
    const response = await get(path);
    await response.arrayBuffer();
    const value = response.headers.get(name);
    if (value === null) throw new Error(`${path} has no header ${name}`);
    return Number(value);
  };
  return {
    // The caller names the type of a body.
    body: async <Body>(path: string) => (await (await get(path)).json()) as Body,
    post: async <Body>(path: string, json: object) => {
      const headers = { 'content-type': 'application/json' };
      const response = await ask(`/api/v1${path}`, { method: 'POST', headers, body: JSON.stringify(json) });
      return (await response.json()) as Body;
    },
    lines: async (path) => {
      const text = await (await get(path)).text();
      // A line break within quotes is in a cell; a quote in a cell is two.
      return text
        .split('"')
        .reduce((lines, part, n) => lines + (n % 2 === 0 ? part.split('\n').length - 1 : 0), 0);
    },
    total: (path) => headerOf(withQuery(path, 'limit=1'), 'x-total-count'),
    header: headerOf,
    async rows<Row>(path: string, rowsOf: (body: never) => readonly Row[] = (body) => body) {
      const rows: Row[] = [];
      let next: string | undefined = `/api/v1${withQuery(path, `limit=${pageRows}`)}`;
      let total = '';
      while (next !== undefined) {
        const response: Response = await ask(next);
        rows.push(...rowsOf((await response.json()) as never)); // The caller names the type of its rows.
        total = response.headers.get('x-total-count') ?? '';
        next = /^<([^>]+)>; rel="next"$/.exec(response.headers.get('link') ?? '')?.[1];
      }
      if (total !== String(rows.length))
        throw new Error(`${path} states ${total}, and has ${rows.length} rows`);
      return rows;
    },
  };
}

/** All checks, and those whose count is not that of the list. */
export async function differing(checks: AsyncIterable<CountCheck>): Promise<{
  readonly all: readonly CountCheck[];
  readonly different: readonly CountCheck[];
}> {
  const all: CountCheck[] = [];
  for await (const check of checks) all.push(check);
  return { all, different: all.filter(({ counted, listed }) => counted !== listed) };
}

/** `count` of the rows, spread evenly, with the first and the last; all if `count` is null. */
export function spread<Row>(rows: readonly Row[], count: number | null): readonly Row[] {
  if (count === null || rows.length <= count) return rows;
  const step = (rows.length - 1) / Math.max(count - 1, 1);
  return Array.from({ length: count }, (_, n) => rows[Math.round(n * step)]).filter(
    (row) => row !== undefined,
  );
}

/** The number of distinct values. */
export function distinct(values: readonly unknown[]): number {
  return new Set(values).size;
}

/** A path with one more parameter, or several joined by `&`. */
export function withQuery(path: string, query: string): string {
  if (query === '') return path;
  return `${path}${path.includes('?') ? '&' : '?'}${query}`;
}
