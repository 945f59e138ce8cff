const cvss = {
  critical: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
  important: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H',
  moderate: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:L/I:N/A:N',
  low: 'CVSS:3.1/AV:L/AC:H/PR:L/UI:N/S:U/C:L/I:N/A:N',
};

/** A fictitious vulnerability of a package. */
interface MadeUp {
  readonly ecosystem: string;
  readonly name: string;
  /** Null: no version fixes it. */
  readonly fixed: string | null;
  readonly severity: keyof typeof cvss;
  readonly specific?: Readonly<Record<string, string>>;
}

const noble = 'Ubuntu:24.04:LTS';
const focal = 'Ubuntu:20.04:LTS';
const alma = 'AlmaLinux:9';

const ubuntu: readonly MadeUp[] = [
  { ecosystem: noble, name: 'curl', fixed: '8.5.0-2ubuntu10.9', severity: 'important' },
  { ecosystem: noble, name: 'libxml2', fixed: '2.9.14+dfsg-1.3ubuntu3.6', severity: 'critical' },
  { ecosystem: noble, name: 'nginx', fixed: '1.24.0-2ubuntu7.5', severity: 'important' },
  { ecosystem: noble, name: 'openssh', fixed: '1:9.6p1-3ubuntu13.14', severity: 'moderate' },
  { ecosystem: noble, name: 'python3.12', fixed: '3.12.3-1ubuntu0.8', severity: 'moderate' },
  { ecosystem: noble, name: 'sudo', fixed: '1.9.15p5-3ubuntu5.24.04.1', severity: 'important' },
  { ecosystem: noble, name: 'vim', fixed: '2:9.1.0016-1ubuntu7.9', severity: 'low' },
  { ecosystem: noble, name: 'linux', fixed: '6.8.0-90.90', severity: 'critical' },
  { ecosystem: noble, name: 'tiff', fixed: null, severity: 'moderate' },
  { ecosystem: noble, name: 'ghostscript', fixed: null, severity: 'important' },
  {
    ecosystem: noble,
    name: 'exim4',
    fixed: null,
    severity: 'moderate',
    specific: { uct_status: 'needs-triage' },
  },
  {
    ecosystem: 'Ubuntu:Pro:24.04:LTS',
    name: 'imagemagick',
    fixed: '8:6.9.12.98+dfsg1-5.2ubuntu0.1~esm1',
    severity: 'important',
  },
  { ecosystem: focal, name: 'krb5', fixed: '1.17-6ubuntu4.9', severity: 'important' },
  { ecosystem: focal, name: 'samba', fixed: '2:4.15.13+dfsg-0ubuntu0.20.04.9', severity: 'critical' },
  { ecosystem: focal, name: 'tiff', fixed: null, severity: 'low' },
];

const almalinux: readonly MadeUp[] = [
  { ecosystem: alma, name: 'curl', fixed: '7.76.1-31.el9_6.1', severity: 'moderate' },
  { ecosystem: alma, name: 'expat', fixed: '2.5.0-5.el9_6', severity: 'critical' },
  { ecosystem: alma, name: 'httpd', fixed: '2.4.62-4.el9_6.4', severity: 'important' },
  { ecosystem: alma, name: 'libxml2', fixed: '2.9.13-12.el9_6', severity: 'important' },
  { ecosystem: alma, name: 'openssh-server', fixed: '8.7p1-45.el9', severity: 'moderate' },
  { ecosystem: alma, name: 'sudo', fixed: '1.9.5p2-10.el9_6.2', severity: 'important' },
];

const dayMs = 86_400_000;
const firstOfUbuntu = 91_000;
const firstOfAlma = 92_000;

/** A file to import, and the parameters of its import. */
export interface MadeUpFeed {
  readonly format: string;
  readonly query: string;
  readonly file: Uint8Array;
}

/** Feeds about the fictitious systems: Ubuntu's and AlmaLinux' are new, Rocky's is ten days old, Red Hat has none. */
export function madeUpFeeds(now: Date): readonly MadeUpFeed[] {
  const osv = (rows: readonly MadeUp[], first: number): MadeUpFeed => ({
    format: 'osv',
    query: '',
    file: Buffer.from(rows.map((row, at) => `${JSON.stringify(osvRecord(row, first + at, now))}\n`).join('')),
  });
  const tenDaysAgo = new Date(now.getTime() - 10 * dayMs).toISOString().replace(/\.\d+Z$/, 'Z');
  return [
    osv(ubuntu, firstOfUbuntu),
    osv(almalinux, firstOfAlma),
    {
      format: 'rocky-errata',
      query: `&complete=true&as_of=${tenDaysAgo}`,
      file: Buffer.from(JSON.stringify(rockyErratum(tenDaysAgo))),
    },
    ...exploitedCves(now),
  ];
}

/** Catalogs that list the vulnerabilities of libxml2 and ghostscript as exploited. */
function exploitedCves(now: Date): readonly MadeUpFeed[] {
  const day = now.toISOString().slice(0, 10);
  const exploited = ['libxml2', 'ghostscript'].map((name) =>
    cveOf(ubuntu.findIndex((row) => row.name === name)),
  );
  const kev = {
    title: 'Made-up catalog of known exploited vulnerabilities',
    catalogVersion: day,
    dateReleased: now,
    count: exploited.length,
    vulnerabilities: exploited.map((cveID) => ({ cveID, dateAdded: day })),
  };
  const epss = [
    `#model_version:v2025.03.14,score_date:${day}T00:00:00+0000`,
    'cve,epss,percentile',
    ...exploited.map((cve) => `${cve},0.71,0.99`),
    `CVE-2026-${firstOfAlma + 1},0.12,0.93`,
    '',
  ];
  return [
    { format: 'kev', query: '', file: Buffer.from(JSON.stringify(kev)) },
    { format: 'epss', query: '', file: Buffer.from(epss.join('\n')) },
  ];
}

function cveOf(index: number): string {
  return `CVE-2026-${firstOfUbuntu + index}`;
}

function osvRecord(row: MadeUp, number: number, now: Date): unknown {
  const { ecosystem, name, fixed, severity, specific } = row;
  const daysAgo = 3 + ((number * 7) % 60);
  return {
    schema_version: '1.7.0',
    id: ecosystem === alma ? `ALSA-2026:${number}` : `UBUNTU-CVE-2026-${number}`,
    upstream: [`CVE-2026-${number}`],
    modified: now.toISOString(),
    published: new Date(now.getTime() - daysAgo * dayMs).toISOString(),
    summary: `${severity[0]?.toUpperCase()}${severity.slice(1)}: ${name} security update (made up)`,
    severity: [{ type: 'CVSS_V3', score: cvss[severity] }],
    affected: [
      {
        package: { ecosystem, name },
        ranges: [
          { type: 'ECOSYSTEM', events: [{ introduced: '0' }, ...(fixed === null ? [] : [{ fixed }])] },
        ],
        ...(specific === undefined ? {} : { ecosystem_specific: specific }),
      },
    ],
  };
}

function rockyErratum(publishedAt: string): unknown {
  return {
    name: 'RLSA-2026:93001',
    type: 'TYPE_SECURITY',
    severity: 'SEVERITY_IMPORTANT',
    synopsis: 'Important: sudo security update (made up)',
    description: 'A fictitious erratum.',
    publishedAt,
    cves: [{ name: 'CVE-2026-93001' }],
    rpms: { 'Rocky Linux 9': { nvras: ['sudo-0:1.9.5p2-10.el9_6.2.x86_64.rpm'] } },
  };
}
