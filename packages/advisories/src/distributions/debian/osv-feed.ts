import type { FeedDefinition } from '../../feed.ts';
import { debianOsv } from './osv-dialect.ts';

/** Debian's security tracker as OSV publishes it. */
export const debianOsvFeed: FeedDefinition = {
  id: 'debian-osv',
  distribution: 'debian',
  format: 'osv',
  ecosystem: 'Debian',
  path: 'Debian/all.zip',
  dialect: debianOsv,
};
