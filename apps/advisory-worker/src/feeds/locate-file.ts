import { readFile, rm, stat } from 'node:fs/promises';
import { SaxesParser } from 'saxes';
import { ImportError } from '../records/import-error.ts';
import type { WorkerContext } from '../worker-context.ts';
import { fetchFeed } from './fetch-feed.ts';

const indexName = '/repodata/repomd.xml';
const maxIndexBytes = 1024 * 1024;

/**
 * Where a file lies: where its URL says, or, where that is a repository's index (repomd.xml, createrepo_c), where the index
 * says that its updateinfo is. The index is fetched through `target.path`, which is free again afterwards. Throws
 * ImportError.
 */
export async function locateFile(
  { addressPolicy }: Pick<WorkerContext, 'addressPolicy'>,
  url: URL,
  target: { readonly path: string; readonly signal: AbortSignal },
): Promise<URL> {
  if (!url.pathname.endsWith(indexName)) return url;
  await fetchFeed({ url, known: { etag: null, lastModified: null }, ...target }, addressPolicy);
  if ((await stat(target.path)).size > maxIndexBytes)
    throw new ImportError('too_large', `${url.href} is too large for a repository's index.`);
  const text = await readFile(target.path, 'utf8');
  await rm(target.path);
  const place = updateinfoPlace(text);
  if (place === null) throw new ImportError('no_file', `${url.href} names no updateinfo that can be read.`);
  const located = new URL(place, url.href.slice(0, -indexName.length + 1));
  // The index may come from a mirror that nobody trusts that far.
  if (
    located.origin !== url.origin ||
    !located.pathname.startsWith(url.pathname.slice(0, -indexName.length + 1))
  )
    throw new ImportError('no_file', `${url.href} names an updateinfo outside of its repository.`);
  return located;
}

/** The `href` of the index's updateinfo, of several the one that gzip can read; null where there is none. */
function updateinfoPlace(text: string): string | null {
  const places: string[] = [];
  let isUpdateinfo = false;
  const parser = new SaxesParser({ position: false });
  parser.on('error', (error) => {
    throw new ImportError('invalid_xml', "The repository's index is damaged.", { cause: error });
  });
  parser.on('doctype', () => {
    throw new ImportError('invalid_xml', "The repository's index has a document type, which is refused.");
  });
  parser.on('opentag', ({ name, attributes }) => {
    const { type, href } = attributes as Record<string, string>; // Without namespaces attributes are plain texts.
    if (name === 'data') isUpdateinfo = type === 'updateinfo';
    if (name === 'location' && isUpdateinfo && href !== undefined) places.push(href);
  });
  parser.write(text).close();
  return places.find((place) => place.endsWith('.gz') || place.endsWith('.xml')) ?? places[0] ?? null;
}
