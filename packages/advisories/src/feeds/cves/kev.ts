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
    const details = {
      dueOn: dayOf(fieldOf(entry, 'dueDate')),
      inRansomware: fieldOf(entry, 'knownRansomwareCampaignUse') === 'Known',
      summary: summaryOf(fieldOf(entry, 'shortDescription')),
    };
    return { kind: 'read', items: [{ kind: 'exploited', cve, since, ...details }], asOf: since, issues: [] };
  },
};

/** Characters; the longest text of 2025 has about 700. */
const longestSummary = 2_000;

/** A text without control characters, on one line; null if nothing is left. */
function summaryOf(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const text = value
    .slice(0, longestSummary)
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim();
  return text === '' ? null : text;
}
