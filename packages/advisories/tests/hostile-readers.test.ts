import fc from 'fast-check';
import { feeds } from '../src/index.ts';
import { debianRecord } from './debian-records.ts';
import { vexDocument } from './distributions/rhel/vex-document.ts';
import { csafAdvisory } from './distributions/suse/csaf-document.ts';
import { brokenRecords, hostileTrees, hostileValues } from './hostile-values.ts';
import { sample, update } from './rpm-records.ts';
import { cveRecord, noticeRecord } from './ubuntu-records.ts';

const cve = 'CVE-2024-0001';
const openssl = { product: 'enterprise_linux:9::baseos', component: 'openssl-1:3.0.7-27.el9.src' } as const;
const ignored = { uct_status: 'ignored', uct_note: 'end of life' };
const ratedLow = {
  database_specific: { cves_map: { cves: [{ severity: [{ type: 'Ubuntu', score: 'low' }] }] } },
};
const rowOf = (columns: string, line: string) =>
  Object.fromEntries(columns.split(',').map((column, n) => [column, line.split(',')[n] ?? '']));

/** A record of each form that a feed reads. */
const records: readonly unknown[] = [
  debianRecord('CVE-2023-45853'),
  cveRecord(cve, [
    { name: 'openssh', fixed: null, specific: ignored },
    { ecosystem: 'Ubuntu:Pro:22.04:LTS', name: 'openssh', fixed: '1:8.9p1-3ubuntu0.10' },
    { ecosystem: 'Ubuntu:Pro:FIPS-updates:20.04:LTS', name: 'openssh', fixed: '1:8.2p1-4ubuntu0.fips.0.1' },
  ]),
  noticeRecord('USN-5614-1', [cve], [{ name: 'openssh', fixed: '1:8.9p1-3ubuntu0.10', rest: ratedLow }]),
  { package: 'openssh', id: cve, issue: { releases: { bookworm: { status: 'open', urgency: 'low' } } } },
  {
    timestamp: '2026-05-20T15:02:47Z',
    statements: [
      {
        vulnerability: { name: cve, description: 'It fails.' },
        status: 'affected',
        products: [{ '@id': 'pkg:deb/ubuntu/curl@1.0-1?arch=source&distro=jammy' }],
      },
    ],
  },
  update('ALSA-1', ['curl-7-2.el8.x86_64']),
  sample('almalinux/ALSA-2020-4676.osv.json'),
  sample('almalinux/ALSA-2019-0975.errata.json'),
  sample('rocky/RLSA-2019-0975.errata.json'),
  sample('rocky/RLSA-2025-21816.apollo.json'),
  vexDocument([{ ...openssl, status: 'fixed', remedy: 'RHSA-2024:1' }]),
  {
    name: cve,
    threat_severity: 'Moderate',
    package_state: [{ cpe: 'cpe:/o:redhat:enterprise_linux:9', fix_state: 'Affected', package_name: 'curl' }],
  },
  csafAdvisory({ products: ['SUSE Linux Enterprise Server 15 SP6:curl-8.0-1.x86_64'] }),
  { cveID: cve, dateAdded: '2026-01-02' },
  {
    cveMetadata: { cveId: cve },
    containers: {
      adp: [
        {
          metrics: [{ other: { type: 'ssvc', content: { id: cve, options: [{ Exploitation: 'active' }] } } }],
          providerMetadata: { orgId: '134c704f-9b21-4f2e-91b3-4a467353bcc0' },
        },
      ],
    },
  },
  { name: 'F44', version: '44', id_prefix: 'FEDORA', state: 'current', eol: '2027-05-26' },
  rowOf('version,series,release,eol,eol-lts,eol-elts', '12,bookworm,2023-06-10,2026-07-11,2028-06-30,'),
  rowOf('version,series,release,eol,eol-esm,eol-legacy', '22.04 LTS,jammy,2022-04-21,2027-06-01,2032-04-21,'),
];

const fields = new Set(['__proto__', 'constructor', 'toString']);
const words = new Set(['', '1.0-1', '0', '\u202e\u0000', '../../x', '2026-99-99', '__proto__']);
for (const record of records)
  JSON.stringify(record, (key, value) => {
    fields.add(key);
    if (typeof value === 'string') words.add(value);
    return value;
  });
const trees = hostileTrees([...words], [...fields]);
const values = fc.oneof(hostileValues(trees), brokenRecords(records, trees));

it.each(feeds.map(({ id, read }) => [id, read] as const))(
  '%s has a reading for every value, and no package of another form',
  (_id, read) => {
    fc.assert(
      fc.property(values, (value) => {
        const reading = read(value, { release: null });
        expect(['read', 'skipped', 'rejected']).toContain(reading.kind);
        if (reading.kind !== 'read') return;
        for (const item of reading.items)
          for (const { name, release, fix } of 'packages' in item ? item.packages : []) {
            expect(name).toMatch(/^[A-Za-z0-9][A-Za-z0-9._+-]*$/);
            expect(release).toMatch(/^[a-z]+:[\d.a-z]+$/);
            if (fix.kind === 'fixed') expect(fix.version).not.toBe('');
            else expect(fix.detail).toMatch(/^[^\p{Cc}\p{Cf}]{0,200}$/u);
          }
      }),
      { numRuns: 60 },
    );
  },
);
