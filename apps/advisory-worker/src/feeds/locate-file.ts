import { shownUrl } from '@plimsoll/model';
import { ImportError } from '@plimsoll/pipeline';
import { SaxesParser } from 'saxes';
import type { FeedAccess } from './feed-access.ts';
import { FetchError } from './fetch-error.ts';
import { readFeedText } from './read-feed-text.ts';

const indexName = '/repodata/repomd.xml';
const listName = '/mirror.list';
const archiveList = '/archive_latest.txt';
const maxIndexBytes = 1024 * 1024;
const maxListBytes = 64 * 1024;
const archiveName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$/;

/** The means of a search for a file. */
interface Search {
  /** A temporary path for files read during the search. */
  readonly path: string;
  readonly signal: AbortSignal;
}

/** The index of a repository is there and names no updateinfo. */
export class NoUpdateinfo extends FetchError {}

/** The location of a file. */
export interface LocatedFile {
  readonly url: URL;
  /** The file's SHA-256 in the repository's index, in hex; null if no index names it. */
  readonly sha256: string | null;
  /** Whether a repository's index or the list of an archive names it. */
  readonly isNamed: boolean;
}

/**
 * Locates a file: at its URL; for a repository's index (repomd.xml, createrepo_c), at the updateinfo that the
 * index names; for a list of mirrors, at the first mirror; for the name of the newest archive (Red Hat's CSAF
 * folders), next to it. Stays on the host of the URL. Throws ImportError: `not_there` if the repository or its
 * updateinfo is missing, `denied` if the server's answer may mean the same, `no_file` if an index or a list names
 * no file that it may name.
 */
export async function locateFile(access: FeedAccess, url: URL, search: Search): Promise<LocatedFile> {
  if (url.pathname.endsWith(listName))
    return locateUpdateinfo(access, await repositoryIn(access, url, search), search);
  if (isArchiveList(url))
    return { url: await newestArchive(access, url, search), sha256: null, isNamed: true };
  return url.pathname.endsWith(indexName)
    ? locateUpdateinfo(access, url, search)
    : { url, sha256: null, isNamed: false };
}

/** Whether a URL is that of the file that names the newest archive of a folder. */
export function isArchiveList(url: URL): boolean {
  return url.pathname.endsWith(archiveList);
}

async function newestArchive(access: FeedAccess, url: URL, search: Search): Promise<URL> {
  const name = (await readFeedText(access, url, { ...search, maxBytes: maxListBytes })).trim();
  if (!archiveName.test(name))
    throw new ImportError('no_file', `${shownUrl(url)} names no archive of its folder.`);
  return new URL(name, url);
}

/** The index of the first repository in a list of mirrors. Amazon's lists name one. */
async function repositoryIn(access: FeedAccess, list: URL, search: Search): Promise<URL> {
  const text = await readFeedText(access, list, { ...search, maxBytes: maxListBytes });
  const first = text
    .split('\n')
    .map((line) => line.trim())
    .find((line) => line !== '' && !line.startsWith('#'));
  const repository = first !== undefined && URL.canParse(first) ? new URL(first) : null;
  // A list must not name other hosts, or the same one without encryption. Files have no host.
  if (repository === null || repository.origin !== list.origin || list.protocol === 'file:')
    throw new ImportError('no_file', `${shownUrl(list)} names no repository of its own host.`);
  // Keeps user name and password of the list.
  const index = new URL(list);
  index.pathname = `${withoutEndSlashes(repository.pathname)}${indexName}`;
  index.search = '';
  return index;
}

/** Not a regular expression, which would take quadratic time on a hostile path of slashes. */
function withoutEndSlashes(pathname: string): string {
  let end = pathname.length;
  while (pathname[end - 1] === '/') end--;
  return pathname.slice(0, end);
}

async function locateUpdateinfo(access: FeedAccess, url: URL, search: Search): Promise<LocatedFile> {
  const place = updateinfoPlace(await readFeedText(access, url, { ...search, maxBytes: maxIndexBytes }));
  if (place === null)
    throw new NoUpdateinfo(url, 'the index of the repository names no updateinfo', { failure: 'not_found' });
  const root = url.href.slice(0, -indexName.length + 1);
  const located = URL.canParse(place.href, root) ? new URL(place.href, root) : null;
  // The index may come from a mirror that is not fully trusted.
  if (located === null || !located.href.startsWith(root) || /%2f|%5c/i.test(located.pathname))
    throw new ImportError('no_file', `${shownUrl(url)} names an updateinfo outside of its repository.`);
  return { url: located, sha256: place.sha256, isNamed: true };
}

/** An updateinfo in the index. */
interface Place {
  readonly href: string;
  readonly sha256: string | null;
}

/** The updateinfo of the index, preferring gzip or plain; null without one. */
function updateinfoPlace(text: string): Place | null {
  const places: Place[] = [];
  let isUpdateinfo = false;
  let isChecksum = false;
  let href: string | null = null;
  let sha256 = '';
  const parser = new SaxesParser({ position: false });
  parser.on('error', (error) => {
    throw new ImportError('invalid_xml', "The repository's index is damaged.", { cause: error });
  });
  parser.on('doctype', () => {
    throw new ImportError('invalid_xml', "The repository's index has a document type, which is refused.");
  });
  parser.on('opentag', ({ name, attributes }) => {
    const { type, href: at } = attributes as Record<string, string>; // Without namespaces attributes are plain texts.
    if (name === 'data') {
      isUpdateinfo = type === 'updateinfo';
      href = null;
      sha256 = '';
    }
    isChecksum = name === 'checksum' && type === 'sha256';
    if (name === 'location' && at !== undefined) href = at;
  });
  parser.on('text', (part) => {
    if (isChecksum) sha256 += part;
  });
  parser.on('closetag', ({ name }) => {
    isChecksum = false;
    if (name !== 'data' || !isUpdateinfo || href === null) return;
    places.push({ href, sha256: /^\s*[0-9a-f]{64}\s*$/i.test(sha256) ? sha256.trim().toLowerCase() : null });
  });
  parser.write(text).close();
  return (
    places.find((place) => place.href.endsWith('.gz') || place.href.endsWith('.xml')) ?? places[0] ?? null
  );
}
