import { osvFeed } from '../../osv/parse-osv-record.ts';
import { ubuntuOsv } from './osv-dialect.ts';

/** Ubuntu's security team's CVE records and notices (USN) as OSV publishes them, those for Ubuntu Pro included. */
export const ubuntuOsvFeed = osvFeed({
  id: 'ubuntu-osv',
  distribution: 'ubuntu',
  title: 'Ubuntu',
  path: 'Ubuntu/all.zip',
  statesUnfixed: true,
  limits: [
    'It does not say why something has no fix: "needed", "deferred" and "ignored" look the same in it.',
  ],
  dialect: ubuntuOsv,
});
