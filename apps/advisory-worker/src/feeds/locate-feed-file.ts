import type { FeedFile } from '@plimsoll/advisories';
import { shownUrl } from '@plimsoll/model';
import { ImportError } from '@plimsoll/pipeline';
import { urlOf } from './feed-sources.ts';
import { placeOf } from './file-key.ts';
import { type LocatedFile, locateFile } from './locate-file.ts';
import type { SyncContext } from './sync-context.ts';

/** The search for a feed's file. */
export interface Locating {
  readonly feedId: string;
  readonly file: FeedFile;
  readonly search: { readonly path: string; readonly signal: AbortSignal };
  /** The keys of the imported files. */
  readonly before: readonly string[];
}

/** Locates a file; null if its repository is missing and may be. */
export async function locateFeedFile(
  context: SyncContext,
  { feedId, file, search, before }: Locating,
): Promise<LocatedFile | null> {
  const url = urlOf(feedId, file, context.mirrors);
  try {
    return await locateFile(context, url, search);
  } catch (error) {
    if (!(error instanceof ImportError) || file.isSparse !== true || !isMissing(error, url, before))
      throw error;
    context.log.info({ feedId, url: shownUrl(url), detail: error.message }, 'repository without updateinfo');
    return null;
  }
}

/**
 * Whether a repository counts as missing: also one with denied access, unless a file was imported from it
 * before.
 */
function isMissing({ code }: ImportError, url: URL, before: readonly string[]): boolean {
  if (code !== 'denied') return code === 'not_there';
  // The part above `repodata/`, or above the version in the path of a list of mirrors.
  const repository = placeOf(url).replace(/(repodata\/repomd\.xml|[^/]+\/[^/]+\/mirror\.list)$/, '');
  return !before.some((key) => key.startsWith(repository));
}
