import fc from 'fast-check';
import { brokenRecords, hostileTrees, hostileValues } from '../hostile-values.ts';
import { advisoryRead } from '../read-advisory.ts';
import { cveRecord, noticeRecord, readUbuntu } from '../ubuntu-records.ts';

const cve = 'CVE-2024-6387';
const records = [
  cveRecord(cve, [
    { name: 'openssh', fixed: null, specific: { uct_status: 'ignored', uct_note: 'end of life' } },
    { ecosystem: 'Ubuntu:Pro:22.04:LTS', name: 'openssh', fixed: '1:8.9p1-3ubuntu0.10' },
    { ecosystem: 'Ubuntu:Pro:FIPS-updates:20.04:LTS', name: 'openssh', fixed: '1:8.2p1-4ubuntu0.fips.0.1' },
  ]),
  noticeRecord(
    'USN-5614-1',
    [cve],
    [
      {
        name: 'openssh',
        fixed: '1:8.9p1-3ubuntu0.10',
        rest: {
          database_specific: { cves_map: { cves: [{ severity: [{ type: 'Ubuntu', score: 'low' }] }] } },
        },
      },
    ],
  ),
];

const trees = hostileTrees(
  [
    'UBUNTU-CVE-2024-0001',
    'USN-1-1',
    'LSN-0001-1',
    'Ubuntu:22.04:LTS',
    'Ubuntu:Pro:FIPS:20.04:LTS',
    'Ubuntu:Pro:::LTS',
    'Ubuntu',
    'critical',
    'ignored',
    'ECOSYSTEM',
    'Available with Ubuntu Pro (Infra-only)',
    '1.0-1',
    '\u202e\u0000',
    '__proto__',
  ],
  [
    'id',
    'affected',
    'package',
    'ecosystem',
    'name',
    'severity',
    'type',
    'score',
    'ecosystem_specific',
    'availability',
    'uct_status',
    'uct_note',
    'ubuntu_priority',
    'database_specific',
    'cves_map',
    'cves',
    '__proto__',
  ],
);

describe('reading Ubuntu’s OSV', () => {
  it('returns a result for any value, and never throws', () => {
    fc.assert(
      fc.property(hostileValues(trees), (json) => {
        expect(['read', 'skipped', 'rejected']).toContain(readUbuntu(json).kind);
      }),
      { numRuns: 500 },
    );
  });

  it('returns a result for a real record with any one part replaced', () => {
    fc.assert(
      fc.property(brokenRecords(records, trees), (json) => {
        const parsed = readUbuntu(json);
        if (parsed.kind !== 'read') return;
        for (const { fix, name, release, builds } of advisoryRead(parsed).packages) {
          expect(name).toMatch(/^[a-z0-9][a-z0-9.+-]+$/);
          expect(release).toMatch(/^ubuntu:\d{1,2}\.\d{2}$/);
          expect([null, 'fips', 'esm']).toContain(builds.line);
          if (fix.kind === 'fixed') expect(fix.version).not.toBe('');
          else expect(fix.detail).toMatch(/^[^\p{Cc}\p{Cf}]{0,200}$/u);
        }
      }),
      { numRuns: 1000 },
    );
  });

  it('does not depend on the order in which a record lists its entries', () => {
    const entry = fc.record({
      ecosystem: fc.constantFrom(
        'Ubuntu:22.04:LTS',
        'Ubuntu:Pro:22.04:LTS',
        'Ubuntu:Pro:FIPS:22.04:LTS',
        'Ubuntu:Pro:FIPS-updates:22.04:LTS',
      ),
      name: fc.constantFrom('openssl', 'curl'),
      fixed: fc.constantFrom(null, '1', '1+esm1', '2~esm1', '2'),
    });
    fc.assert(
      fc.property(
        fc.uniqueArray(entry, { maxLength: 6, selector: ({ ecosystem, name }) => ecosystem + name }),
        (entries) => {
          const read = (listed: typeof entries) => {
            const parsed = readUbuntu(cveRecord(cve, listed));
            return parsed.kind === 'read' ? advisoryRead(parsed).packages : parsed;
          };
          const [forwards, backwards] = [read(entries), read([...entries].reverse())];
          expect(withoutTies(backwards)).toEqual(withoutTies(forwards));
        },
      ),
    );
  });
});

/** Of equal fixes by two services, either may be named. */
function withoutTies(packages: unknown): unknown {
  return JSON.parse(JSON.stringify(packages).replace(/"fips(?:-updates)?"/g, '"fips"'));
}
