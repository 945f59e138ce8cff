import { createHash } from 'node:crypto';
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { compareText } from '@plimsoll/model';
import { dropKeptFile } from './downloads/kept-file.ts';
import type { FeedAccess } from './feed-access.ts';
import type { FeedSource } from './feed-source.ts';
import { FetchError } from './fetch-error.ts';
import { type FetchedFeed, fetchFeed } from './fetch-feed.ts';
import { type ListPage, readListPage } from './page-list.ts';

const pageParameter = 'page';
const sizeParameter = 'size';
/** With other page sizes, records that were lost between two pages are inside one. */
const laterSizes = ['90', '70'] as const;
const maxPages = 2_000;
const maxPageBytes = 64 * 1024 * 1024;
const maxRecords = 200_000;

/** Whether an address is the first page of a list. */
export function isPaged(url: URL): boolean {
  return url.protocol !== 'file:' && url.searchParams.has(pageParameter);
}

/** A list while it is read. */
interface Reading {
  /** Digests of the stored records, by name. */
  readonly digests: Map<string, string>;
  readonly source: FeedSource;
}

/**
 * Fetches a list page by page and stores its records at the path, one line of JSON each, each name once. A
 * list can change between two pages, and a server that orders it by time can repeat one record and omit
 * another: the list is read at most three times, until the number of records equals the stated total. Only
 * the parameters of the link to the next page are used, with the same address, so that a link cannot name
 * another place. Throws FetchError: `unstable` for a list that is never complete; otherwise as `fetchFeed`.
 */
export async function fetchPages(source: FeedSource, access: FeedAccess): Promise<FetchedFeed> {
  const reading: Reading = { digests: new Map(), source };
  let said = 0;
  for (const size of [null, ...laterSizes]) {
    const total = await readPass(reading, access, size);
    if (total === null) {
      reading.digests.clear();
      continue;
    }
    if (reading.digests.size >= total) {
      return { kind: 'fetched', version: { etag: null, lastModified: null }, digest: digestOf(reading) };
    }
    said = total;
  }
  const reason =
    said === 0
      ? 'the list changed while it was read, three times'
      : `its pages have ${reading.digests.size} records, and it says that there are ${said}`;
  throw new FetchError(source.url, reason, { failure: 'unstable' });
}

/** Reads all pages; returns the stated number of records, or null if it changed meanwhile. */
async function readPass(reading: Reading, access: FeedAccess, size: string | null): Promise<number | null> {
  const { digests, source } = reading;
  if (digests.size === 0) await writeFile(source.path, '');
  let url = new URL(source.url);
  if (size !== null) url.searchParams.set(sizeParameter, size);
  const asked = new Set<string>();
  let total: number | null = null;
  for (;;) {
    if (asked.has(url.href) || asked.size >= maxPages) throw endless(url);
    asked.add(url.href);
    const page = await readPage(url, reading, access);
    if (asked.size === 1) access.tracker.expectFiles(pagesOf(page));
    access.tracker.fileDone();
    await keep(page, reading);
    if (page.total === null && (page.nextQuery !== null || total !== null)) throw notAPage(url);
    if (total !== null && page.total !== total) return null;
    total = page.total;
    if (page.nextQuery === null) return total ?? digests.size;
    const next = new URL(url);
    next.search = page.nextQuery;
    url = next;
  }
}

/** Fetches a page. It stays for the next sync, which uses it if the server confirms that it is current. */
async function readPage(url: URL, { source }: Reading, access: FeedAccess): Promise<ListPage> {
  const path = `${source.path}-page-${createHash('sha256').update(url.href).digest('hex').slice(0, 32)}`;
  const { signal } = source;
  const known = { etag: null, lastModified: null };
  await fetchFeed({ url, known, path, maxBytes: maxPageBytes, signal, isKept: true }, access);
  const page = readListPage(await readFile(path, 'utf8'), url);
  if (page === null) {
    await dropKeptFile(path);
    throw notAPage(url);
  }
  return page;
}

/** The number of pages that a list has by its first one. */
function pagesOf({ records, total }: ListPage): number {
  return total === null || records.length === 0 ? 1 : Math.min(maxPages, Math.ceil(total / records.length));
}

/** Stores the new records of a page. */
async function keep({ records }: ListPage, { digests, source }: Reading): Promise<void> {
  const lines: string[] = [];
  for (const { name, text } of records) {
    if (digests.has(name)) continue;
    digests.set(name, createHash('sha256').update(text).digest('base64'));
    lines.push(`${text}\n`);
  }
  if (digests.size > maxRecords) throw endless(source.url);
  await appendFile(source.path, lines.join(''));
}

/** The digest of the records; it does not depend on their order. */
function digestOf({ digests }: Reading): Uint8Array {
  const hash = createHash('sha256');
  for (const name of [...digests.keys()].sort(compareText)) hash.update(`${name} ${digests.get(name)}\n`);
  return hash.digest();
}

function notAPage(url: URL): FetchError {
  return new FetchError(url, 'it is not a page of the list', { failure: 'not_readable' });
}

function endless(url: URL): FetchError {
  return new FetchError(url, 'its pages have no end', { failure: 'not_readable' });
}
