import type { FeedFile } from '@plimsoll/advisories';
import { shownUrl } from '@plimsoll/model';
import { ImportError } from '@plimsoll/pipeline';
import { urlsOf } from './feed-sources.ts';
import { FetchError } from './fetch-error.ts';
import { placeOf } from './file-key.ts';
import { NoUpdateinfo } from './locate-file.ts';
import type { SyncContext } from './sync-context.ts';

/** A file of a feed that is looked for. */
interface WantedFile {
  readonly feedId: string;
  readonly file: FeedFile;
  /** The keys of the imported files. */
  readonly before: readonly string[];
}

/**
 * Fetches a file from the first of its addresses that has it. The next address is tried only if the server
 * of the last one answers that the file is not there: any other failure says nothing about where the file
 * is. Returns null if its repository is missing at every address and may be. Throws the error of the last
 * address that was tried, with the sentences of those before.
 */
export async function tryAddresses<Fetched>(
  context: Pick<SyncContext, 'log' | 'mirrors'>,
  { feedId, file, before }: WantedFile,
  fetch: (url: URL) => Promise<Fetched>,
): Promise<Fetched | null> {
  const urls = urlsOf(feedId, file, context.mirrors);
  const sentences: string[] = [];
  for (const [n, url] of urls.entries())
    try {
      const fetched = await fetch(url);
      if (n > 0) context.log.info({ feedId, url: shownUrl(url) }, 'file found at its second address');
      return fetched;
    } catch (error) {
      if (!(error instanceof ImportError)) throw error;
      const hasNext = n + 1 < urls.length;
      if (hasNext && isNotThere(error)) sentences.push(error.message);
      else if (file.isSparse === true && isMissing(error, urls, before)) {
        const detail = [...sentences, error.message].join(' ');
        context.log.info({ feedId, url: shownUrl(url), detail }, 'repository without updateinfo');
        return null;
      } else throw withSentences(error, sentences);
    }
  return null;
}

/** Whether the server of a file answers that it has no such file. */
function isNotThere(error: ImportError): boolean {
  return error instanceof FetchError && error.failure === 'not_found' && !(error instanceof NoUpdateinfo);
}

/**
 * Whether a repository counts as missing: also one with denied access, unless a file was imported from one
 * of its addresses before.
 */
function isMissing({ code }: ImportError, urls: readonly URL[], before: readonly string[]): boolean {
  if (code !== 'denied') return code === 'not_there';
  // The part above `repodata/`, or above the version in the path of a list of mirrors.
  const repositories = urls.map((url) =>
    placeOf(url).replace(/(repodata\/repomd\.xml|[^/]+\/[^/]+\/mirror\.list)$/, ''),
  );
  return !before.some((key) => repositories.some((repository) => key.startsWith(repository)));
}

/** The error with the sentences about the addresses that were tried before; its cause and code stay. */
function withSentences(error: ImportError, before: readonly string[]): ImportError {
  if (before.length === 0) return error;
  if (error instanceof FetchError) return error.with({ before });
  return new ImportError(error.code, [...before, error.message].join(' '), { cause: error });
}
