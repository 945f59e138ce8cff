import { TriState } from '@plimsoll/proto';
import { type SnapshotChanges, sendSnapshot } from './agent-uploads.ts';
import { apiPerFile, type EnrolledHost, enrol } from './api-under-test.ts';
import { readPages, totalsOf } from './checked-client.ts';
import { critical, debianOffer, debianRecord } from './debian-fleet.ts';
import { importOsv } from './pipeline.ts';
import { protobufTime } from './sample-snapshot.ts';

const records = [
  debianRecord('DEBIAN-CVE-2024-6387', 'openssh', {
    fixed: '1:9.2p1-2+deb12u3',
    cvss: critical,
    cves: ['CVE-2024-6387'],
  }),
  debianRecord('DEBIAN-CVE-2025-0002', 'openssh', { urgency: 'medium', cves: ['CVE-2025-0002'] }),
  debianRecord('DSA-5724-1', 'openssh', { fixed: '1:9.2p1-2+deb12u3', cves: ['CVE-2024-6387'] }),
  debianRecord('DEBIAN-CVE-2023-45853', 'zlib', { cvss: critical, cves: ['CVE-2023-45853'] }),
  debianRecord('DEBIAN-CVE-2022-3715', 'bash', {
    fixed: '5.2.15-3',
    urgency: 'unimportant',
    cves: ['CVE-2022-3715'],
  }),
];

const api = apiPerFile();
let host: EnrolledHost;

const uploadAndMatch = (changes: SnapshotChanges = {}) => sendSnapshot(api, host, changes);
const get = async (path: string) => (await api.admin.get(`/api/v1/hosts/${host.id}${path}`)).body;
const namesOf = (rows: readonly { name: string }[]) => rows.map(({ name }) => name);

const opensshOffer = debianOffer(
  'openssh-server',
  { sourceName: 'openssh', isSecurity: true },
  '1:9.2p1-2+deb12u2',
  '1:9.2p1-2+deb12u3',
);
const bashOffer = debianOffer('bash', { repository: 'debian' }, '5.2.15-2+b8', '5.2.15-2+b9');
const needsReboot = {
  kernel: { runningRelease: '6.1.0-28-amd64', rebootRequired: TriState.YES, rebootPackages: ['libc6'] },
  services: { restartRequired: TriState.YES, toRestart: [{ name: 'ssh', reason: 'libssl3' }] },
};

/** Before anything was imported, on the clock that the database shares. */
const startedAt = Date.now();

beforeAll(async () => {
  host = await enrol(api);
  await importOsv(api.database, records);
  await uploadAndMatch({
    upgradable: [opensshOffer, bashOffer],
    ...needsReboot,
    observed: {
      bootId: 'x',
      bootedAt: protobufTime(new Date('2026-01-02T03:04:05.678Z')),
      refreshed: [{ repositoryId: 'main', at: protobufTime(new Date()) }],
    },
  });
});

describe('vulnerable packages', () => {
  it('are those with a fix, with all known fields', async () => {
    const rows = await get('/packages/vulnerable');
    const [{ first_seen_at: seenAt, advisories }] = rows;
    expect(seenAt).toBe(advisories[0].first_seen_at);
    expect(Date.parse(seenAt)).toBeGreaterThanOrEqual(startedAt);
    expect(Date.parse(seenAt)).toBeLessThanOrEqual(Date.now());
    expect(rows).toEqual([
      {
        name: 'openssh-server',
        architecture: 'amd64',
        installed_version: '1:9.2p1-2+deb12u2',
        source_name: 'openssh',
        source_version: '1:9.2p1-2+deb12u2',
        severity: 'critical',
        fixed_version: '1:9.2p1-2+deb12u3',
        fix_state: 'installable',
        candidate_version: '1:9.2p1-2+deb12u3',
        known_exploited: false,
        epss: null,
        due_at: null,
        first_seen_at: expect.any(String),
        advisories: [
          {
            id: 'DEBIAN-CVE-2024-6387',
            aliases: ['DSA-5724-1'],
            title: 'openssh has a flaw',
            severity: 'critical',
            severity_source: 'cvss',
            url: expect.stringContaining('CVE-2024-6387'),
            published_at: '2024-07-01T13:15:06.000Z',
            fixed_version: '1:9.2p1-2+deb12u3',
            fix_state: 'installable',
            due: null,
            first_seen_at: expect.any(String),
            cves: [
              { id: 'CVE-2024-6387', cvss: 9.8, cvss_vector: critical, epss: null, known_exploited: false },
            ],
          },
        ],
        evidence: {
          release: 'debian:12',
          feed: 'debian-osv',
          feed_updated_at: expect.any(String),
          comparator: 'dpkg',
          match_name: 'openssh',
          compared_version: '1:9.2p1-2+deb12u2',
          fixed_version: '1:9.2p1-2+deb12u3',
          notes: expect.arrayContaining([{ code: 'erratum_folded', detail: 'DSA-5724-1' }]),
        },
      },
    ]);
  });

  it('without a fix are listed on request, rows and advisories', async () => {
    const rows = await get('/packages/vulnerable?include_unfixed=true');
    expect(namesOf(rows)).toEqual(['openssh-server', 'zlib1g']);
    expect(rows[0].advisories.map(({ id }: { id: string }) => id)).toEqual([
      'DEBIAN-CVE-2024-6387',
      'DEBIAN-CVE-2025-0002',
    ]);
    expect(rows[1]).toMatchObject({ severity: 'critical', fixed_version: null, fix_state: 'no_fix' });
    expect(rows[1].advisories).toMatchObject([{ severity_source: 'cvss' }]);
  });

  it('that are hidden are listed on request', async () => {
    expect(namesOf(await get('/packages/vulnerable?include_hidden=true'))).toEqual([
      'openssh-server',
      'bash',
    ]);
    expect(namesOf(await get('/packages/vulnerable?severity=none&include_hidden=1'))).toEqual(['bash']);
    expect(await get('/packages/vulnerable?severity=none')).toEqual([]);
  });

  it('are the same whatever else is requested with them', async () => {
    const [plain] = await get('/packages/vulnerable');
    const [withAll] = await get('/packages/vulnerable?include_unfixed=true&include_hidden=true');
    const { advisories: _a, ...first } = plain;
    const { advisories: _b, ...second } = withAll;
    expect(second).toEqual(first);
  });
});

describe('a host with all of its facts', () => {
  let all: EnrolledHost;
  beforeAll(async () => {
    all = host;
    host = await enrol(api, { hostname: 'second' });
    await uploadAndMatch({
      upgradable: [
        opensshOffer,
        { ...bashOffer, held: true },
        debianOffer('linux-image-6.1.0-30-amd64', { repository: 'debian' }, '', '6.1.124-1'),
      ],
      ...needsReboot,
      observed: { bootId: 'x', bootedAt: protobufTime(new Date('2026-01-02T03:04:05.678Z')), refreshed: [] },
    });
  });
  afterAll(() => {
    host = all;
  });

  it('lists its updates by name, in the number that it counts', async () => {
    const rows = await get('/packages/upgradable');
    expect(rows).toEqual([
      {
        name: 'bash',
        architecture: 'amd64',
        installed_version: '5.2.15-2+b8',
        candidate_version: '5.2.15-2+b9',
        change: 'upgrade',
        repository: 'debian',
        is_security: false,
        held: true,
        phased: false,
        advisory_ids: [],
        severity: null,
      },
      {
        name: 'openssh-server',
        architecture: 'amd64',
        installed_version: '1:9.2p1-2+deb12u2',
        candidate_version: '1:9.2p1-2+deb12u3',
        change: 'upgrade',
        repository: 'debian-security',
        is_security: true,
        held: false,
        phased: false,
        advisory_ids: ['DEBIAN-CVE-2024-6387'],
        severity: 'critical',
      },
    ]);
    expect((await get('')).available_updates).toBe(rows.length);
    expect(namesOf(await get('/packages/upgradable?security=true'))).toEqual(['openssh-server']);
    expect(namesOf(await get('/packages/upgradable?security=0'))).toEqual(['bash']);
  });

  it('counts no installed version as an update, and lists lower ones separately', async () => {
    const second = host;
    host = await enrol(api, { hostname: 'third' });
    const offer = (name: string, to: string) => debianOffer(name, { isSecurity: true }, '', to);
    await uploadAndMatch({
      upgradable: [
        offer('bash', '0:5.2.15-2+b8'),
        offer('openssh-server', '1:9.2p1-2+deb12u1'),
        offer('zlib1g', 'not a version'),
      ],
    });
    expect(await get('/packages/upgradable')).toMatchObject([
      { name: 'zlib1g', installed_version: '1:1.2.13.dfsg-1', change: 'unknown', is_security: true },
    ]);
    expect(await get('/packages/upgradable?downgrades=true')).toMatchObject([
      { name: 'openssh-server', installed_version: '1:9.2p1-2+deb12u2', change: 'downgrade' },
    ]);
    expect(await get('')).toMatchObject({ available_updates: 1 });
    const [upload] = await get('/uploads');
    expect(upload.errors).toEqual([]);
    expect(upload.notes).toEqual([
      {
        pointer: '/upgradable',
        detail: '1 entries offer the version that is installed and were left out: bash 0:5.2.15-2+b8',
      },
    ]);
    expect(namesOf(await get('/disagreements'))).not.toContain('openssh-server');
    host = second;
  });

  it('lists its packages, those of a name, and those of a source', async () => {
    const rows = await get('/packages');
    const pages = await readPages(api.admin, `/api/v1/hosts/${host.id}/packages?limit=1`);
    expect(pages.flatMap(({ body }) => body)).toEqual(rows);
    expect(totalsOf(pages)).toEqual([String(rows.length)]);
    expect(namesOf(rows)).toEqual(['bash', 'openssh-server', 'zlib1g']);
    expect(rows[0]).toEqual({
      name: 'bash',
      architecture: 'amd64',
      version: '5.2.15-2+b8',
      source_name: 'bash',
      source_version: '5.2.15-2',
      vendor: '',
      module: '',
      origin_evidence: 'The host reports no origin.',
      suite: '',
      held: false,
      state: 'installed',
      verdict: 'comparable',
      verdict_reason: null,
      checked: true,
      covered_by: null,
    });
    expect(namesOf(await get('/packages?q=SSH'))).toEqual(['openssh-server']);
    expect(namesOf(await get('/packages?q=zlib'))).toEqual(['zlib1g']);
    expect(await get('/packages?q=%25')).toEqual([]);
  });

  it('names the reasons for a reboot and the services to restart', async () => {
    expect(await get('/kernel-posture')).toEqual({
      running_kernel: '6.1.0-28-amd64',
      latest_installed_kernel: null,
      running_is_latest: null,
      installed_kernels: [],
      reboot_state: 'needed',
      reboot_unknown: null,
      reboot_reasons: [{ code: 'reboot_required_flag', detail: 'libc6', source: 'flag' }],
      booted_at: '2026-01-02T03:04:05.678Z',
      services_to_restart: [{ name: 'ssh', reason: 'libssl3' }],
      restart_state: 'needed',
    });
  });
});
