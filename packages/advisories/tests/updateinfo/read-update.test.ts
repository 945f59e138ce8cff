import { parseUpdateTime } from '../../src/updateinfo/update-time.ts';
import { advisoryRead } from '../read-advisory.ts';
import { advisoryOf, readRecord, update, updatePackage } from '../rpm-records.ts';

const feed = 'almalinux-updateinfo';
const on8 = 'almalinux:8';

function collection(packages: readonly unknown[], module: unknown = null): Record<string, unknown> {
  return { name: 'c', short: 'c', module, packages };
}

function packagesOf(rest: Record<string, unknown>) {
  return advisoryOf(feed, update('ALSA-1', [], rest), on8).packages.map(({ name, fix, builds }) => ({
    name,
    version: fix.kind === 'fixed' ? fix.version : null,
    ...builds,
  }));
}

describe('an update about security', () => {
  it('becomes an erratum with its CVEs, times and severity', () => {
    expect(advisoryOf(feed, update('ALSA-2024:3128', ['curl-7-2.el8.x86_64']), on8)).toMatchObject({
      externalId: 'ALSA-2024:3128',
      kind: 'erratum',
      publishedAt: new Date('2024-05-22T00:00:00Z'),
      modifiedAt: new Date('2024-05-23T10:11:12Z'),
      withdrawnAt: null,
      cves: ['CVE-2024-0001'],
      packages: [
        { release: on8, name: 'curl', severity: 'important', fix: { version: '7-2.el8', service: null } },
      ],
    });
  });

  it('has the CVEs in titles of references, as Fedora writes them', () => {
    const references = [
      { href: 'https://bugzilla/1', id: '1', title: 'CVE-2025-1234 curl: x [fedora-all]', type: 'bugzilla' },
    ];
    const record = update('FEDORA-2025-0123456789', ['curl-8-2.fc42.x86_64'], { references });
    expect(advisoryOf('fedora-updateinfo', record, 'fedora:42').cves).toEqual(['CVE-2025-1234']);
  });

  it('has one statement per version, with the architectures of that version', () => {
    const packages = ['curl-7-2.el8.x86_64', 'curl-7-2.el8.i686', 'curl-7-3.el8.aarch64', 'curl-7-2.el8.src'];
    expect(packagesOf({ collections: [collection(packages.map((nevra) => updatePackage(nevra)))] })).toEqual([
      { name: 'curl', version: '7-3.el8', architectures: ['aarch64'], module: '', line: null },
      { name: 'curl', version: '7-2.el8', architectures: ['i686', 'x86_64'], module: '', line: null },
    ]);
  });

  it('with several versions for one architecture uses the lowest: only versions below all are affected', () => {
    const packages = ['curl-7-2.el8.alma.x86_64', 'curl-7-2.el8.x86_64'];
    expect(packagesOf({ collections: [collection(packages.map((nevra) => updatePackage(nevra)))] })).toEqual([
      { name: 'curl', version: '7-2.el8', architectures: ['x86_64'], module: '', line: null },
    ]);
  });

  it('keeps the streams of its collections separate, and reads a missing epoch as 0', () => {
    const module = { name: 'perl', stream: '5.32', version: '1', context: 'c', arch: 'x86_64' };
    const inModule = updatePackage('perl-5.32-1.module_el8.6.0+1+aa.x86_64', { epoch: '4' });
    const plain = updatePackage('perl-5.26-1.el8.x86_64', { epoch: null });
    const packages = packagesOf({ collections: [collection([inModule], module), collection([plain])] });
    expect(packages.map(({ version, module: stream }) => `${stream}| ${version}`).sort()).toEqual([
      'perl:5.32| 4:5.32-1.module_el8.6.0+1+aa',
      '| 5.26-1.el8',
    ]);
  });

  it('assigns a build in a module to the streams in its title if its collection names none', () => {
    const packages = [updatePackage('libvirt-6-1.module_el8.6.0+1+aa.x86_64')];
    const rest = { collections: [collection(packages)] };
    const title = 'Moderate: virt:rhel and virt-devel:rhel security update';
    expect(packagesOf({ ...rest, title }).map(({ module }) => module)).toEqual([
      'virt-devel:rhel',
      'virt:rhel',
    ]);
    expect(readRecord(feed, update('ALSA-1', [], rest), on8)).toMatchObject({
      kind: 'rejected',
      reason: 'no_usable_package',
      issues: [{ reason: 'stream_unknown' }],
    });
  });

  it('is withdrawn if the vendor retracted it', () => {
    const record = update('SUSE-1', ['curl-7-150500.2.1.x86_64'], { status: 'retracted' });
    expect(advisoryOf('suse-updateinfo', record, 'suse:15.5').withdrawnAt).toEqual(
      new Date('2024-05-23T10:11:12Z'),
    );
  });

  it.each([
    ['Critical', 'critical'],
    ['IMPORTANT', 'important'],
    ['medium', 'moderate'],
    ['Low', 'low'],
    ['None', 'none'],
    ['', 'unrated'],
    ['?', 'unrated'],
  ])('of severity %j is %s', (severity, ours) => {
    const record = update('ALSA-1', ['curl-7-2.el8.x86_64'], { severity });
    expect(advisoryOf(feed, record, on8).packages[0]?.severity).toBe(ours);
  });

  it('without a severity has the one at the start of its title', () => {
    const record = update('ALSA-1', ['curl-7-2.el8.x86_64'], {
      severity: null,
      title: 'Low: curl security update',
    });
    expect(advisoryOf(feed, record, on8).packages[0]).toMatchObject({
      severity: 'low',
      severitySource: 'vendor',
    });
  });

  it('of Fedora with severity None is unrated, not negligible', () => {
    const record = update('FEDORA-1', ['curl-7-2.fc42.x86_64'], { severity: 'None' });
    expect(advisoryOf('fedora-updateinfo', record, 'fedora:42').packages[0]).toMatchObject({
      severity: 'unrated',
      severitySource: 'none',
    });
  });
});

describe('the release of an update', () => {
  it('is the file’s, if stated at the import', () => {
    const record = update('X-1', ['curl-7-2.el8.x86_64']);
    expect(readRecord(feed, record)).toEqual({ kind: 'skipped', reason: 'no_release_of_this_feed' });
    expect(readRecord(feed, record, 'debian:12').kind).toBe('skipped');
    expect(readRecord(feed, record, on8).kind).toBe('read');
  });

  it.each([
    ['almalinux-updateinfo', 'almalinux-8-4', 'el8', 'almalinux:8'],
    ['rocky-updateinfo', 'Rocky Linux 8', 'el8', 'rocky:8'],
    ['fedora-updateinfo', 'Fedora 42', 'fc42', 'fedora:42'],
    ['centos-updateinfo', 'EL-6', 'el6', 'centos:6'],
    ['oracle-updateinfo', 'Oracle Linux 8', 'el8', 'oracle:8'],
  ])('in %s is read from a collection %j', (id, name, tag, release) => {
    const packages = [updatePackage(`curl-7-2.${tag}.x86_64`)];
    const record = update('X-1', [], { collections: [{ name, short: name, packages }] });
    expect(advisoryOf(id, record).packages[0]?.release).toBe(release);
  });

  it.each([
    ['ALAS-2019-1246', 'amzn1', 'amazon:1'],
    ['ALAS2-2019-1246', 'amzn2', 'amazon:2'],
    ['ALAS2PHP8.0-2023-001', 'amzn2', 'amazon:2'],
    ['ALAS2KERNEL-5.10-2022-001', 'amzn2', 'amazon:2'],
    ['ALAS2023-2024-500', 'amzn2023', 'amazon:2023'],
    ['ALAS2023LIVEPATCH-2025-038', 'amzn2023', 'amazon:2023'],
  ])('of Amazon’s %s is in its id', (id, tag, release) => {
    expect(advisoryOf('amazon-updateinfo', update(id, [`curl-7-2.${tag}.x86_64`])).packages[0]?.release).toBe(
      release,
    );
  });
});

describe('updates without findings', () => {
  it.each(['bugfix', 'enhancement', 'newpackage', '', null])('of type %j are skipped', (type) => {
    expect(readRecord(feed, update('ALBA-1', ['curl-7-2.el8.x86_64'], { type }), on8)).toEqual({
      kind: 'skipped',
      reason: 'not_about_security',
    });
  });

  it('with only builds for other releases are skipped', () => {
    expect(readRecord('centos-updateinfo', update('CESA-1', ['curl-7-2.el7.x86_64']), 'centos:6')).toEqual({
      kind: 'skipped',
      reason: 'no_release_of_this_feed',
    });
  });
});

describe('hostile updates', () => {
  it.each([null, 7, 'x', [], true])('that are %j are rejected', (record) => {
    expect(readRecord(feed, record, on8)).toMatchObject({ kind: 'rejected', reason: 'not_an_object' });
  });

  it.each(['../../etc/passwd', 'a/b', 'a\\b', '', ' ', 'x\u0000', 'a..b', 'x'.repeat(500), 7, {}, null])(
    'with the id %j are rejected',
    (id) => {
      const record = { ...update('ALSA-1', ['curl-7-2.el8.x86_64']), id };
      expect(readRecord(feed, record, on8)).toMatchObject({ kind: 'rejected', reason: 'invalid_id' });
    },
  );

  it.each([{ name: '../x' }, { name: 7 }])('lose a package with %j, and are incomplete', (wrong) => {
    const good = updatePackage('bash-4-1.el8.x86_64');
    const bad = updatePackage('curl-7-2.el8.x86_64', wrong);
    const reading = readRecord(feed, update('ALSA-1', [], { collections: [collection([bad, good])] }), on8);
    expect(advisoryRead(reading)).toMatchObject({ isIncomplete: true, packages: [{ name: 'bash' }] });
  });

  it.each([
    { version: '2 0' },
    { version: '1-2' },
    { version: '' },
    { version: null },
    { release: '1:2' },
    { release: ['1.el8'] },
    { epoch: '-1' },
    { epoch: 'x' },
    { epoch: {}, version: {} },
    { arch: '../x' },
    { arch: 7 },
  ])('count every version of a package with %j as affected, with an issue', (wrong) => {
    const good = updatePackage('bash-4-1.el8.x86_64');
    const bad = updatePackage('curl-7-2.el8.x86_64', wrong);
    const reading = readRecord(feed, update('ALSA-1', [], { collections: [collection([bad, good])] }), on8);
    expect(advisoryRead(reading).packages).toMatchObject([
      { name: 'bash', fix: { kind: 'fixed' } },
      {
        name: 'curl',
        fix: { kind: 'unfixed', isUnreadable: true },
        builds: { architectures: 'arch' in wrong ? [] : ['x86_64'] },
      },
    ]);
    expect(reading.kind === 'read' && reading.issues.length).toBeGreaterThan(0);
  });

  it('that list a package with and without a readable version have the readable one', () => {
    const read = updatePackage('curl-7-2.el8.x86_64');
    const bad = updatePackage('curl-7-2.el8.x86_64', { version: '2 0' });
    for (const packages of [
      [read, bad],
      [bad, read],
    ])
      expect(packagesOf({ collections: [collection(packages)] })).toMatchObject([
        { name: 'curl', version: '7-2.el8' },
      ]);
  });

  it('without any readable version are rejected', () => {
    const bad = updatePackage('curl-7-2.el8.x86_64', { version: '2 0' });
    expect(readRecord(feed, update('ALSA-1', [], { collections: [collection([bad])] }), on8)).toMatchObject({
      kind: 'rejected',
      reason: 'no_usable_package',
    });
  });

  it('with too many packages are truncated, with an issue', () => {
    const packages = Array.from({ length: 60_000 }, (_, index) => updatePackage(`p${index}-1-1.el8.x86_64`));
    const reading = readRecord(feed, update('ALSA-1', [], { collections: [collection(packages)] }), on8);
    expect(advisoryRead(reading).packages).toHaveLength(50_000);
    expect(reading.kind === 'read' && reading.issues.map(({ reason }) => reason)).toContain('too_many');
  });
});

describe('times of updates', () => {
  it.each([
    ['2024-05-22 01:02:03', '2024-05-22T01:02:03.000Z'],
    ['2024-05-22 01:02', '2024-05-22T01:02:00.000Z'],
    ['2024-05-22', '2024-05-22T00:00:00.000Z'],
    ['2024-05-22T01:02:03Z', '2024-05-22T01:02:03.000Z'],
    ['2025-01-17T16:13:44.551420Z', '2025-01-17T16:13:44.000Z'],
    ['2024-05-22 01:02:03 UTC', '2024-05-22T01:02:03.000Z'],
    ['1557200351', '2019-05-07T03:39:11.000Z'],
  ])('%s is %s', (text, time) => {
    expect(parseUpdateTime(text)?.toISOString()).toBe(time);
  });

  it.each(['', 'yesterday', '2024-13-01', '2024-05-22 25:00:00', '99999999999999'])(
    '%j is not a time',
    (text) => {
      expect(parseUpdateTime(text)).toBeNull();
    },
  );
});
