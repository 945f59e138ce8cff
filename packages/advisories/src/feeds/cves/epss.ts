import { fieldOf, objectOf } from '../../json-fields.ts';
import { type CveFeed, dayOf, isCveId } from './cve-feed.ts';

/** FIRST's exploit prediction scores; a record is one row `{ cve, epss, date }`, all of type text. */
export const epssFeed: CveFeed = {
  id: 'epss',
  kind: 'cves',
  format: 'epss',
  title: 'EPSS',
  distribution: null,
  files: [
    {
      url: 'https://epss.empiricalsecurity.com/epss_scores-current.csv.gz',
      path: 'epss/epss_scores-current.csv.gz',
      release: null,
    },
  ],
  read(record) {
    const row = objectOf(record);
    if (row === null) return { kind: 'rejected', reason: 'not_an_object' };
    const cve = fieldOf(row, 'cve');
    if (!isCveId(cve)) return { kind: 'rejected', reason: 'invalid_id' };
    const score = scoreOf(fieldOf(row, 'epss'));
    if (score === null) return { kind: 'rejected', reason: 'invalid_fact' };
    return {
      kind: 'read',
      items: [{ kind: 'epss', cve, score }],
      asOf: dayOf(fieldOf(row, 'date')),
      issues: [],
    };
  },
};

/** Returns a probability; null for any other value. */
function scoreOf(value: unknown): number | null {
  if (typeof value !== 'string' || !/^[01](?:\.\d{1,20})?(?:e-\d{1,2})?$/i.test(value)) return null;
  const score = Number(value);
  return score <= 1 ? score : null;
}
