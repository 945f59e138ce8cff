import { numbersFrom, prose } from '../content/deterministic.ts';
import { cveOfRecord } from '../content/osv-records.ts';
import type { FeedLayout, ServedFile, Volume } from '../layout.ts';

const origin = 'https://apollo.build.resf.org';
const path = '/api/v3/advisories/';
const pageSize = 2;

/**
 * Rocky's Apollo (resf/distro-tools, in the pages of MaineK00n/vuls-data-update): newest advisories first, in
 * pages that name the next one without a host. Its largest pages have 100 records; here they have two, so
 * that there are several. A mirror has the whole list as one file.
 */
export const rockyErrataLayout: FeedLayout = {
  feedId: 'rocky-errata',
  files: ({ store, volume }) => {
    const advisories = advisoriesOf(volume);
    const whole = store.keep([JSON.stringify({ advisories })]);
    return ['100', '90', '70'].flatMap((size) =>
      pagesOf(advisories, size).map(
        ({ address, page }, index): ServedFile => ({
          url: `${origin}${address}`,
          content: store.keep([JSON.stringify(page)]),
          ...(index === 0 && size === '100' ? { mirrored: whole } : {}),
        }),
      ),
    );
  },
};

function pagesOf(advisories: readonly object[], size: string) {
  const last = Math.max(1, Math.ceil(advisories.length / pageSize));
  const addressOf = (page: number) => `${path}?size=${size}&page=${page}`;
  return Array.from({ length: last }, (_, index) => ({
    address: addressOf(index + 1),
    page: {
      advisories: advisories.slice(index * pageSize, (index + 1) * pageSize),
      total: advisories.length,
      page: index + 1,
      size: Number(size),
      links: {
        first: addressOf(1),
        last: addressOf(last),
        self: addressOf(index + 1),
        next: index + 1 < last ? addressOf(index + 2) : null,
        prev: index === 0 ? null : addressOf(index),
      },
      last_updated_at: '2026-11-20T09:00:19Z',
    },
  }));
}

function advisoriesOf({ records, proseCharacters }: Volume): readonly object[] {
  const next = numbersFrom(5);
  return Array.from({ length: records }, (_, n) => {
    const description = prose(proseCharacters, next);
    const products = ['8', '9', '10'].flatMap((number) =>
      ['x86_64', 'aarch64'].map((arch) => ({ number, arch, name: `Rocky Linux ${number} ${arch}` })),
    );
    return {
      id: n + 1,
      created_at: '2026-11-19T09:12:41.584710+00:00',
      updated_at: '2026-11-19T09:12:41.644151+00:00',
      published_at: '2026-11-19T09:11:22.820964+00:00',
      name: `RLSA-2026:${1000 + n}`,
      synopsis: `Important: binary${n} security update`,
      description,
      kind: 'Security',
      severity: 'Important',
      topic: `An update is available for binary${n}.`,
      red_hat_advisory_id: n + 1,
      affected_products: products.map(({ name, number, arch }) => ({
        variant: 'Rocky Linux',
        name,
        major_version: Number(number),
        minor_version: null,
        arch,
      })),
      cves: [{ id: n + 1, cve: cveOfRecord(n), cvss3_base_score: '7.5', cwe: 'CWE-770' }],
      fixes: [],
      packages: products.flatMap(({ name, number, arch }) =>
        ['src', arch].map((built) => ({
          nevra: `binary${n}-0:1.${n}-2.el${number}.${built}.rpm`,
          checksum: '0'.repeat(64),
          checksum_type: 'sha256',
          module_context: null,
          module_name: null,
          module_stream: null,
          module_version: null,
          repo_name: 'AppStream',
          product_name: name,
        })),
      ),
    };
  });
}
