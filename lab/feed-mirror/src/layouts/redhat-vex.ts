import { tarOf, zstdOf } from '@plimsoll/testing';
import { numbersFrom, prose } from '../content/deterministic.ts';
import { cveOfRecord } from '../content/osv-records.ts';
import type { FeedLayout } from '../layout.ts';

const folder = 'https://security.access.redhat.com/data/csaf/v2/vex-feed';
const archive = 'vex-archive.tar.zst';
/** After the archive was packed, so that the document is not in it. */
const changedAt = '2026-11-20T12:00:00+00:00';

/**
 * Red Hat's VEX documents: a text that names the archive, the archive, the lists of changes and deletions since then, and
 * each changed document.
 */
export const redHatVexLayout: FeedLayout = {
  feedId: 'redhat-vex',
  files: ({ store, volume: { records, proseCharacters } }) => {
    const next = numbersFrom(5);
    const entries = Array.from({ length: records }, (_, n) => ({
      path: pathOf(n),
      content: vexDocument(n, prose(proseCharacters, next)),
    }));
    const [changed, ...packed] = entries;
    const deleted = pathOf(records);
    return [
      { url: `${folder}/archive_latest.txt`, content: store.keep([`${archive}\n`]) },
      { url: `${folder}/${archive}`, content: store.keep([zstdOf(tarOf(packed))]) },
      { url: `${folder}/changes.csv`, content: store.keep([`"${pathOf(0)}","${changedAt}"\n`]) },
      { url: `${folder}/deletions.csv`, content: store.keep([`"${deleted}","${changedAt}"\n`]) },
      ...(changed === undefined
        ? []
        : [{ url: `${folder}/${changed.path}`, content: store.keep([changed.content]) }]),
    ];
  },
};

function pathOf(n: number): string {
  const cve = cveOfRecord(n).toLowerCase();
  return `${cve.slice(4, 8)}/${cve}.json`;
}

/** A document about one fixed package of one release. */
function vexDocument(n: number, description: string): string {
  const cve = cveOfRecord(n);
  const build = `1.${n}-2.el9_6`;
  const component = `binary${n}-0:${build}.src`;
  const platform = 'BaseOS-9.6.0.Z.MAIN';
  return JSON.stringify({
    document: {
      category: 'csaf_vex',
      csaf_version: '2.0',
      title: `binary${n}: a flaw`,
      tracking: { id: cve, current_release_date: '2026-05-01T00:00:00+00:00' },
    },
    product_tree: {
      branches: [
        {
          category: 'product_name',
          product: {
            product_id: platform,
            product_identification_helper: { cpe: 'cpe:/o:redhat:enterprise_linux:9::baseos' },
          },
        },
        {
          category: 'product_version',
          product: {
            product_id: component,
            product_identification_helper: { purl: `pkg:rpm/redhat/binary${n}@${build}?arch=src` },
          },
        },
      ],
      relationships: [
        {
          category: 'default_component_of',
          full_product_name: { product_id: `${platform}:${component}` },
          product_reference: component,
          relates_to_product_reference: platform,
        },
      ],
    },
    vulnerabilities: [
      {
        cve,
        notes: [{ category: 'description', text: description }],
        product_status: { fixed: [`${platform}:${component}`] },
      },
    ],
  });
}
