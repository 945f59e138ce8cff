import { debianFeed } from '../../../tests/pipeline/debian-machine.ts';

interface Flaw {
  readonly id: string;
  /** Name of the source package. */
  readonly name: string;
  readonly cvss: string;
  readonly published: string;
  readonly summary: string;
  readonly fixed?: string;
}

const cvss = {
  critical: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
  important: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H',
  moderate: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:L/I:N/A:N',
  low: 'CVSS:3.1/AV:L/AC:H/PR:L/UI:N/S:U/C:L/I:N/A:N',
};

/** Invented, so that every severity occurs. */
const flaws: readonly Flaw[] = [
  {
    id: 'CVE-2026-90001',
    name: 'curl',
    cvss: cvss.critical,
    published: '2026-11-02T08:00:00Z',
    summary: 'Heap overflow in the handling of cookies',
    fixed: '7.88.1-10+deb12u15',
  },
  {
    id: 'CVE-2026-90002',
    name: 'nano',
    cvss: cvss.moderate,
    published: '2026-10-14T08:00:00Z',
    summary: 'Race in the writing of emergency files',
    fixed: '7.2-1+deb12u1',
  },
  {
    id: 'CVE-2026-90003',
    name: 'less',
    cvss: cvss.low,
    published: '2026-09-30T08:00:00Z',
    summary: 'Terminal sequences in file names are not quoted',
    fixed: '590-2.1~deb12u3',
  },
  {
    id: 'CVE-2026-90004',
    name: 'zlib',
    cvss: cvss.important,
    published: '2026-08-21T08:00:00Z',
    summary: 'Endless loop on a truncated stream',
  },
];

/** Real and invented records for Debian 12, one OSV record per line. */
export function sampleOsvFeed(): Uint8Array {
  return Buffer.concat([debianFeed(), Buffer.from(flaws.map((flaw) => `${recordOf(flaw)}\n`).join(''))]);
}

function recordOf({ id, name, cvss: score, published, summary, fixed }: Flaw): string {
  return JSON.stringify({
    schema_version: '1.7.0',
    id,
    modified: new Date().toISOString(), // the feed is current
    published,
    summary,
    severity: [{ type: 'CVSS_V3', score }],
    affected: [
      {
        package: { ecosystem: 'Debian:12', name },
        ranges: [
          { type: 'ECOSYSTEM', events: [{ introduced: '0' }, ...(fixed === undefined ? [] : [{ fixed }])] },
        ],
      },
    ],
  });
}

/** CISA's catalog with one entry: the vulnerability of the SSH server. */
export function sampleKevFeed(): Uint8Array {
  return Buffer.from(
    JSON.stringify({
      title: 'CISA Catalog of Known Exploited Vulnerabilities',
      catalogVersion: '2026.11.01',
      dateReleased: '2026-11-01T00:00:00.000Z',
      count: 1,
      vulnerabilities: [{ cveID: 'CVE-2024-6387', dateAdded: '2026-10-28' }],
    }),
  );
}

/** EPSS scores of two of the CVEs. */
export function sampleEpssFeed(): Uint8Array {
  return Buffer.from(
    [
      '#model_version:v2025.03.14,score_date:2026-11-19T00:00:00+0000',
      'cve,epss,percentile',
      'CVE-2024-6387,0.62814,0.98401',
      'CVE-2026-90001,0.04210,0.88120',
      '',
    ].join('\n'),
  );
}
