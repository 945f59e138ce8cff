import { type OsvStyle, osvEntries } from '../content/osv-records.ts';
import { zipArchive } from '../content/zip-archive.ts';
import type { FeedLayout } from '../layout.ts';

const bucket = 'https://osv-vulnerabilities.storage.googleapis.com';

/** The public OSV export: one archive for each ecosystem in a bucket. */
export function osvExport(feedId: string, ecosystem: string, style: OsvStyle): FeedLayout {
  return {
    feedId,
    files: async ({ store, volume }) => [
      {
        url: `${bucket}/${encodeURIComponent(ecosystem)}/all.zip`,
        content: await store.keepArriving(zipArchive(osvEntries(style, volume))),
      },
    ],
  };
}
