import { bzip2Of, tarOf } from '@plimsoll/testing';
import { numbersFrom, prose } from '../content/deterministic.ts';
import { cveOfRecord } from '../content/osv-records.ts';
import type { FeedLayout } from '../layout.ts';

const folder = 'https://ftp.suse.com/pub/projects/security';
const products = [
  'SUSE Linux Enterprise Module for Basesystem 15 SP6',
  'SUSE Linux Enterprise Server 15 SP4-LTSS',
  'SUSE Package Hub 15 SP6',
  'openSUSE Leap 16.0',
  'openSUSE Tumbleweed',
];

/** SUSE's advisories: one archive of documents, with a signature and a checksum beside each. */
export const suseCsafLayout: FeedLayout = {
  feedId: 'suse-csaf',
  files: ({ store, volume: { records, proseCharacters } }) => {
    const next = numbersFrom(9);
    const entries = Array.from({ length: records }, (_, n) => {
      const path = `csaf/suse-su-2026_${1000 + n}-1.json`;
      return [
        { path: `${path}.sha256`, content: `${'0'.repeat(64)}  ${path}\n` },
        { path, content: advisory(n, prose(proseCharacters, next)) },
        { path: `${path}.asc`, content: '-----BEGIN PGP SIGNATURE-----\n' },
      ];
    });
    const packed = bzip2Of(
      tarOf([{ path: 'csaf/index.txt', content: 'suse-su-2026_1000-1.json\n' }, ...entries.flat()]),
    );
    return [{ url: `${folder}/csaf.tar.bz2`, content: store.keep([packed]) }];
  },
};

function advisory(n: number, description: string): string {
  const ids = products.flatMap((product) =>
    ['x86_64', 'aarch64'].map((architecture) => `${product}:binary${n}-1.${n}-150600.3.1.${architecture}`),
  );
  return JSON.stringify({
    document: {
      aggregate_severity: { namespace: 'https://www.suse.com/support/security/rating/', text: 'important' },
      category: 'csaf_security_advisory',
      csaf_version: '2.0',
      notes: [{ category: 'description', text: description, title: 'Description of the patch' }],
      publisher: {
        category: 'vendor',
        name: 'SUSE Product Security Team',
        namespace: 'https://www.suse.com/',
      },
      title: `Security update for binary${n}`,
      tracking: {
        id: `SUSE-SU-2026:${1000 + n}-1`,
        initial_release_date: '2026-05-01T00:00:00Z',
        current_release_date: '2026-05-01T00:00:00Z',
      },
    },
    product_tree: {
      branches: [
        {
          category: 'vendor',
          name: 'SUSE',
          branches: products.map((name) => ({
            category: 'product_name',
            name,
            product: { name, product_id: name },
          })),
        },
      ],
      relationships: ids.map((product_id) => {
        const [platform = '', component = ''] = product_id.split(':', 2);
        return {
          category: 'default_component_of',
          full_product_name: { name: `${component} as component of ${platform}`, product_id },
          product_reference: component,
          relates_to_product_reference: platform,
        };
      }),
    },
    vulnerabilities: [
      {
        cve: cveOfRecord(n),
        product_status: { recommended: ids },
        remediations: [{ category: 'vendor_fix', details: 'Install the update.', product_ids: ids }],
        threats: [{ category: 'impact', date: '2026-05-01T00:00:00Z', details: 'important' }],
      },
    ],
  });
}
