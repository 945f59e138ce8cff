import type { FeedDefinition, FeedFile, RecordContext, RecordFormat } from '../feed.ts';
import { readUpdate } from './read-update.ts';
import type { UpdateDialect } from './update-dialect.ts';

/** A feed of `<update>` elements of updateinfo.xml, and of records in other forms that `convert` makes into such. */
export function updateinfoFeed(
  feed: Pick<FeedDefinition, 'id' | 'distribution' | 'title' | 'path' | 'limits'> & {
    readonly files?: readonly FeedFile[];
    readonly format?: RecordFormat;
    readonly dialect: UpdateDialect;
    convert?(record: unknown, context: RecordContext): unknown;
  },
): FeedDefinition {
  const { dialect, convert, format = 'updateinfo', ...rest } = feed;
  return {
    ...rest,
    format,
    read: (record, context) =>
      readUpdate(convert === undefined ? record : convert(record, context), context, dialect),
  };
}
