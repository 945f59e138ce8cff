import { fieldOf, objectOf } from '../../json-fields.ts';
import { type CveFeed, dayOf, isCveId } from './cve-feed.ts';

/** CISA's catalog of known exploited vulnerabilities; a record is one entry of its `vulnerabilities`. */
export const kevFeed: CveFeed = {
  id: 'cisa-kev',
  kind: 'cves',
  format: 'kev',
  title: 'CISA KEV',
  distribution: null,
  files: [
    {
      url: 'https://www.cisa.gov/sites/default/files/feeds/known_exploited_vulnerabilities.json',
      path: 'kev/known_exploited_vulnerabilities.json',
      release: null,
    },
  ],
  read(record) {
    const entry = objectOf(record);
    if (entry === null) return { kind: 'rejected', reason: 'not_an_object' };
    const cve = fieldOf(entry, 'cveID');
    if (!isCveId(cve)) return { kind: 'rejected', reason: 'invalid_id' };
    const since = dayOf(fieldOf(entry, 'dateAdded'));
    if (since === null) return { kind: 'rejected', reason: 'invalid_fact' };
    return { kind: 'read', items: [{ kind: 'exploited', cve, since }], asOf: since, issues: [] };
  },
};
