import { cveOfRecord } from '../content/osv-records.ts';
import type { FeedLayout } from '../layout.ts';

/** CISA's catalog of known exploited vulnerabilities. */
export const cisaKevLayout: FeedLayout = {
  feedId: 'cisa-kev',
  files: ({ store, volume: { records } }) => {
    const vulnerabilities = Array.from({ length: records }, (_, n) => ({
      cveID: cveOfRecord(n),
      vendorProject: 'Vendor',
      product: `Product ${n}`,
      vulnerabilityName: `Product ${n} flaw`,
      dateAdded: `2026-0${1 + (n % 9)}-14`,
      dueDate: '2026-12-01',
      knownRansomwareCampaignUse: 'Unknown',
    }));
    const catalog = {
      title: 'CISA Catalog of Known Exploited Vulnerabilities',
      catalogVersion: '2026.11.20',
      dateReleased: '2026-11-20T18:00:00.000Z',
      count: records,
      vulnerabilities,
    };
    return [
      {
        url: 'https://www.cisa.gov/sites/default/files/feeds/known_exploited_vulnerabilities.json',
        content: store.keep([JSON.stringify(catalog, null, 4)]),
      },
    ];
  },
};
