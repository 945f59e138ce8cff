import { osvFeed } from '../../osv/parse-osv-record.ts';
import { ubuntuOsv } from './osv-dialect.ts';

/** CVE records and notices (USN) of Ubuntu's security team as published by OSV, including those for Ubuntu Pro. */
export const ubuntuOsvFeed = osvFeed({
  id: 'ubuntu-osv',
  distribution: 'ubuntu',
  title: 'Ubuntu',
  path: 'Ubuntu/all.zip',
  statesUnfixed: true,
  limits: [
    'It does not say why something has no fix: "needed", "deferred" and "ignored" look the same in it. ubuntu-vex has the reasons, once it is imported.',
  ],
  dialect: ubuntuOsv,
});
