import type { Finding } from '@plimsoll/advisories';
import { compareFindings } from '../src/operations/compare/compare-findings.ts';

/** A finding with one open advisory. */
function finding(name: string, externalId: string, cves: readonly string[]): Finding {
  const statement = { externalId, cves, severity: 'important', knownExploited: false };
  const fields = { name, architecture: 'amd64', installedVersion: '1' };
  return { ...fields, advisories: [{ statement, fixState: 'no_fix' }] } as unknown as Finding; // All that is read.
}

it('a finding of a kernel is the same as that of another version of it', () => {
  const one = finding('linux-image-6.1.0-29-amd64', 'CVE-2024-50246', ['CVE-2024-50246']);
  const other = finding('linux-image-6.1.0-31-amd64', 'CVE-2024-50246', ['CVE-2024-50246']);
  expect(compareFindings([one], [other])).toEqual({ same: 1, only_a: [], only_b: [] });
});

it('an advisory of another feed is the same if all of its CVEs are open on the other host', () => {
  const erratum = finding('curl', 'RHSA-2024:1', ['CVE-1', 'CVE-2']);
  const part = finding('curl', 'DEBIAN-CVE-1', ['CVE-1']);
  const { only_a, only_b } = compareFindings([erratum], [part]);
  expect([only_a.map(({ advisory_id }) => advisory_id), only_b]).toEqual([['RHSA-2024:1'], []]);
});
