import type { FeedFormat } from '@plimsoll/model';
import type { AdvisoryFeed } from '../feeds/advisories/advisory-feed.ts';
import type { FeedFile, RecordContext } from '../feeds/feed.ts';
import { readUpdate } from './read-update.ts';
import type { UpdateDialect } from './update-dialect.ts';

/** A feed of `<update>` elements of updateinfo.xml, or of other records that `convert` turns into such elements. */
export function updateinfoFeed(
  feed: Pick<AdvisoryFeed, 'id' | 'distribution' | 'title' | 'limits' | 'listsFixes'> & {
    readonly files?: readonly FeedFile[];
    readonly format?: FeedFormat<'advisories'>;
    readonly dialect: UpdateDialect;
    convert?(record: unknown, context: RecordContext): unknown;
  },
): AdvisoryFeed {
  const { dialect, convert, format = 'updateinfo', ...rest } = feed;
  return {
    ...rest,
    kind: 'advisories',
    format,
    read: (record, context) =>
      readUpdate(convert === undefined ? record : convert(record, context), context, dialect),
  };
}
