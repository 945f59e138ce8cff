import type { StatementFix } from '@plimsoll/model';
import type { KeyedRecord } from '../src/knowledge/feeds/key-statements.ts';
import { recordDigest } from '../src/knowledge/feeds/record-digest.ts';

const digestWith = (fix: StatementFix): string => {
  const record: KeyedRecord = {
    feedId: 'ubuntu-osv',
    advisory: {
      externalId: 'USN-5614-1',
      kind: 'erratum',
      title: '',
      url: '',
      publishedAt: null,
      modifiedAt: null,
      withdrawnAt: null,
      aliases: [],
      cves: [],
      cvss: null,
      packages: [],
    },
    statements: [
      {
        releaseId: 1,
        name: 'bash',
        severity: 'low',
        severitySource: 'vendor',
        builds: { architectures: [], module: null, line: null },
        buildsKey: '',
        fix,
      },
    ],
  };
  return recordDigest(record).toString('hex');
};
const fixed = (service: string | null, key: number): StatementFix => ({
  kind: 'fixed',
  version: '5.2-1',
  service,
  key: Uint8Array.of(key),
});

it('differs when a fix needs another subscription, and not with the key of its version', () => {
  expect(new Set([null, 'esm', 'esm-apps'].map((service) => digestWith(fixed(service, 1)))).size).toBe(3);
  expect(digestWith(fixed('esm', 1))).toBe(digestWith(fixed('esm', 2)));
});
