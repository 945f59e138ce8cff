import { osvFeed } from '../../osv/parse-osv-record.ts';
import { debianOsv } from './osv-dialect.ts';

/** Debian's security tracker as published by OSV. */
export const debianOsvFeed = osvFeed({
  id: 'debian-osv',
  distribution: 'debian',
  title: 'Debian',
  path: 'Debian/all.zip',
  statesUnfixed: true,
  dialect: debianOsv,
});
