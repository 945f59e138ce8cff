import { cveOfRecord } from '../content/osv-records.ts';
import { type ZipEntry, zipArchive } from '../content/zip-archive.ts';
import type { FeedLayout, Volume } from '../layout.ts';

const branch = 'refs/heads/develop';
/** The host that GitHub redirects archives of repositories to. */
const archive = `https://codeload.github.com/cisagov/vulnrichment/zip/${branch}`;

/** CISA's Vulnrichment: an archive of the repository, made by GitHub, with a CVE record in each file. */
export const cisaSsvcLayout: FeedLayout = {
  feedId: 'cisa-ssvc',
  files: async ({ store, volume }) => [
    { url: `https://github.com/cisagov/vulnrichment/archive/${branch}.zip`, redirectTo: archive },
    { url: archive, content: await store.keepArriving(zipArchive(entriesOf(volume))) },
  ],
};

function* entriesOf({ records, proseCharacters }: Volume): Generator<ZipEntry> {
  const folder = 'vulnrichment-develop';
  yield { name: `${folder}/README.md`, content: Buffer.from('# Vulnrichment\n') };
  for (let n = 0; n < records; n++) {
    const cve = cveOfRecord(n);
    const [, year = '', number = ''] = cve.split('-');
    yield {
      name: `${folder}/${year}/${number.slice(0, -3)}xxx/${cve}.json`,
      content: Buffer.from(JSON.stringify(recordOf(cve, n, 'x'.repeat(proseCharacters)), null, 2)),
    };
  }
}

function recordOf(cve: string, n: number, prose: string): object {
  const options = [
    { Exploitation: ['none', 'poc', 'active'][n % 3] },
    { Automatable: n % 2 === 0 ? 'yes' : 'no' },
    { 'Technical Impact': n % 4 === 0 ? 'total' : 'partial' },
  ];
  const content = {
    id: cve,
    role: 'CISA Coordinator',
    options,
    version: '2.0.3',
    timestamp: '2026-11-19T16:20:47.271139Z',
  };
  return {
    dataType: 'CVE_RECORD',
    dataVersion: '5.1',
    cveMetadata: { cveId: cve, state: 'PUBLISHED' },
    containers: {
      cna: { descriptions: [{ lang: 'en', value: prose }] },
      adp: [
        {
          title: 'CISA ADP Vulnrichment',
          metrics: [{ other: { type: 'ssvc', content } }],
          providerMetadata: { orgId: '134c704f-9b21-4f2e-91b3-4a467353bcc0', shortName: 'CISA-ADP' },
        },
      ],
    },
  };
}
