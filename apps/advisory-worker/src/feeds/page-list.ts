import { isJsonObject } from '@plimsoll/model';

/** One page of a list. */
export interface ListPage {
  readonly records: readonly PagedRecord[];
  /** Records of the whole list; null: the page does not state it. */
  readonly total: number | null;
  /** The parameters of the next page's address; null: it is the last page. */
  readonly nextQuery: string | null;
}

/** A record in a page. */
export interface PagedRecord {
  readonly name: string;
  /** JSON on one line. */
  readonly text: string;
}

/**
 * Reads a page of Rocky's Apollo API (resf/distro-tools, fastapi-pagination): `advisories`, each with its `name`,
 * `total` and `links.next`. Null for any other text.
 */
export function readListPage(text: string, url: URL): ListPage | null {
  const page = parsed(text);
  if (!isJsonObject(page)) return null;
  const { advisories, total, links } = page;
  if (!Array.isArray(advisories)) return null;
  const records: PagedRecord[] = [];
  for (const advisory of advisories) {
    if (!isJsonObject(advisory) || typeof advisory['name'] !== 'string') return null;
    records.push({ name: advisory['name'], text: JSON.stringify(advisory) });
  }
  const next = isJsonObject(links) ? links['next'] : null;
  return {
    records,
    total: typeof total === 'number' && Number.isSafeInteger(total) ? total : null,
    nextQuery: typeof next === 'string' && URL.canParse(next, url.href) ? new URL(next, url).search : null,
  };
}

/** Also null for JSON that is nested too deeply to be written again. */
function parsed(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    JSON.stringify(value);
    return value;
  } catch {
    return null;
  }
}
