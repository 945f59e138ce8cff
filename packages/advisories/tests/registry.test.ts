import { feedFormats, type Release } from '@plimsoll/model';
import {
  classifyPackage,
  classifyUpgrade,
  distributionOf,
  distributions,
  enabledFeedsOf,
  type FileChoice,
  feedForRelease,
  feedIds,
  feeds,
  feedsOf,
  filesOf,
  filesToSync,
  formatOfRecord,
  ownFilesOf,
  releaseOf,
  supportedReleases,
} from '../src/index.ts';
import { installed, offered, platform } from './debian-host.ts';

describe('every registered feed', () => {
  it.each(feedsOf('advisories'))('$id names a registered distribution, and no other has its id', (feed) => {
    expect(feedIds.filter((id) => id === feed.id)).toHaveLength(1);
    expect(distributions.map(({ id }) => id)).toContain(feed.distribution);
  });
});

describe('every format', () => {
  it.each(feedFormats)('%s is used by a feed', (format) => {
    expect(feeds.map((feed) => feed.format)).toContain(format);
  });

  it('is recognized by fields that no other format lists', () => {
    expect(formatOfRecord({ cveID: 'CVE-2024-1' })).toBe('kev');
    expect(formatOfRecord({ data: {} })).toBe('repository-to-cpe');
    expect(formatOfRecord({ rpms: {}, title: 'x' })).toBe('rocky-errata');
    expect(formatOfRecord({ updateinfo_id: 'ALSA-1' })).toBe('almalinux-errata');
    for (const other of [null, 7, {}, []]) expect(formatOfRecord(other)).toBe('osv');
  });
});

describe('the files of all feeds', () => {
  const files = feedIds.flatMap((id) => filesOf(id).map((file) => ({ id, ...file })));

  it('have https addresses, all different, and different paths on a mirror', () => {
    expect(files.filter(({ url }) => !url.startsWith('https://'))).toEqual([]);
    for (const key of ['url', 'path'] as const)
      expect(new Set(files.map((file) => file[key])).size).toBe(files.length);
    expect(files.filter(({ path }) => !/^[^/.][^?#]*$/.test(path) || path.includes('..'))).toEqual([]);
  });

  it('are fetched only for fleets that run their release', () => {
    const auto = { kind: 'auto' } as const;
    const wanted = filesToSync('rocky-updateinfo', auto, ['rocky:9' as Release, 'debian:12' as Release]);
    expect(wanted.length).toBeGreaterThan(0);
    expect(wanted.every(({ release }) => release === 'rocky:9')).toBe(true);
    expect(filesToSync('oracle-updateinfo', auto, ['rocky:9' as Release])).toEqual([]);
  });

  describe('of Fedora', () => {
    const now = new Date('2027-06-01T00:00:00Z');
    const urls = (words: readonly string[], fleet: readonly string[], choice: FileChoice = {}) =>
      filesToSync('fedora-updateinfo', enabledFeedsOf(words), fleet as readonly Release[], choice).map(
        ({ url }) => /updates\/(\d+)\/Everything\/x86_64\//.exec(url)?.[1] ?? url,
      );
    const numbers = (...input: Parameters<typeof urls>) =>
      urls(...input).filter((number) => /^\d+$/.test(number));
    const supportedOf = (ends: Readonly<Record<string, string>>) => {
      const stored = Object.entries(ends).map(
        ([name, end]) => [name as Release, { endsAt: new Date(end) }] as const,
      );
      return supportedReleases('fedora-updateinfo', new Map(stored), now);
    };
    const supported = supportedOf({
      'debian:12': '2028-07-01',
      'fedora:44': '2027-05-27',
      'fedora:45': '2027-12-01',
      'fedora:46': '2028-05-27',
    });

    it('are those of every release that a host runs, whether or not a list has it', () => {
      const fleet = ['fedora:47', 'fedora:47', 'fedora:44', 'rhel:47'];
      for (const choice of [{}, { supported }])
        expect(numbers(['auto'], fleet, choice).sort()).toEqual(['44', '47']);
      expect(urls(['auto'], ['fedora:29'])).toEqual([]);
      expect(urls(['auto'], ['rocky:46'], { supported })).toEqual([]);
    });

    it('are those of the releases with support that the lifecycles list, if no host decides', () => {
      expect(numbers(['fedora-updateinfo'], [], { supported })).toEqual(['45', '46']);
      expect(numbers(['fedora-updateinfo'], ['fedora:43', 'debian:48'], { supported })).toEqual([
        '45',
        '46',
        '43',
      ]);
    });

    it.each([
      ['no lifecycle is stored', supportedOf({})],
      ['those of other distributions alone are', supportedOf({ 'debian:12': '2028-07-01' })],
      ['every stored one has passed', supportedOf({ 'fedora:44': '2027-05-27' })],
    ])('are those of the list in the code if %s', (_case, known) => {
      const choice = { supported: known };
      expect(numbers(['fedora-updateinfo'], [], choice)).toEqual(['43', '44', '45']);
      expect(numbers(['fedora-updateinfo'], ['fedora:46'], choice)).toContain('46');
    });

    it('are looked for in the archive, too, with the modules of old releases', () => {
      const places = (number: string) =>
        filesToSync('fedora-updateinfo', { kind: 'auto' }, [`fedora:${number}` as Release]).map(
          ({ url, movedUrl = '', isSparse = false }) => [
            url.replace('https://dl.fedoraproject.org/pub/', ''),
            movedUrl.replace('https://dl.fedoraproject.org/pub/', ''),
            isSparse,
          ],
        );
      const place = (folder: string) => [
        `fedora/linux/updates/${folder}/repodata/repomd.xml`,
        `archive/fedora/linux/updates/${folder}/repodata/repomd.xml`,
      ];
      expect(places('46')).toEqual([
        [...place('46/Everything/x86_64'), false],
        [...place('46/Everything/aarch64'), false],
      ]);
      expect(places('38').slice(2)).toEqual([
        [...place('38/Modular/x86_64'), true],
        [...place('38/Modular/aarch64'), true],
      ]);
    });

    it('are replaced by an operator’s file', () => {
      const ownFiles = ownFilesOf(['fedora-updateinfo=https://mirror.example/f.xml']);
      for (const fleet of [['fedora:46'], ['fedora:43', 'fedora:42']])
        expect(urls(['auto'], fleet, { ownFiles, supported })).toEqual(['https://mirror.example/f.xml']);
    });
  });

  it('are fetched for fleets of a rebuild too, if they cover it', () => {
    const own = ownFilesOf([
      'redhat-cve=https://m.example/cve.jsonl.gz',
      'redhat-osv=https://m.example/o.zip',
    ]);
    const wantedBy = (feedId: string, release: string) =>
      filesToSync(feedId, { kind: 'auto' }, [release as Release], { ownFiles: own }).length;
    for (const feedId of ['redhat-cve', 'redhat-vex'])
      expect(
        ['rhel:9', 'almalinux:9', 'rocky:9', 'oracle:9'].map((release) => wantedBy(feedId, release)),
      ).toEqual([1, 1, 1, 1]);
    const osv = ['rhel:9', 'almalinux:9', 'rocky:9', 'oracle:9'].map((name) => wantedBy('redhat-osv', name));
    expect(osv).toEqual([1, 0, 1, 0]);
    expect(wantedBy('redhat-vex', 'fedora:42')).toBe(0);
    for (const release of ['suse:15.6', 'suse:16.0', 'opensuse:16.0', 'opensuse:tumbleweed'])
      expect(wantedBy('suse-csaf', release)).toBe(1);
    expect(wantedBy('suse-csaf', 'rhel:9')).toBe(0);
  });

  it('are replaced by an operator’s file, even for feeds without files', () => {
    const own = ownFilesOf([
      'redhat-updateinfo=https://m.example/u.xml.gz',
      'rocky-updateinfo=https://m.example/r/',
    ]);
    expect(filesOf('redhat-updateinfo', own)).toMatchObject([
      { url: 'https://m.example/u.xml.gz', release: null },
    ]);
    expect(filesOf('redhat-updateinfo')).toEqual([]);
    expect(filesOf('rocky-updateinfo', own)).toEqual(filesOf('rocky-updateinfo'));
  });
});

describe('every registered distribution', () => {
  it.each(distributions)('$id leaves a host of an unknown distribution to others', (distribution) => {
    expect(distribution.releaseOf(platform('apt', 'plan9', { osVersionId: '4' }))).toEqual({
      kind: 'unsupported',
      reason: 'other_distribution',
    });
    expect(distribution.owns('plan9:4' as Release)).toBe(false);
    expect(distribution.lifecycleOf('plan9:4' as Release)).toBeNull();
  });
});

describe('releaseOf', () => {
  it('names a release as the feeds do, from ID and VERSION_ID', () => {
    expect(releaseOf(platform('apt', 'debian', { osVersionId: '12' }))).toEqual({
      kind: 'release',
      release: 'debian:12',
      scheme: 'dpkg',
    });
  });

  it.each(['kali', 'devuan', 'linuxmint', 'Debian', ''])(
    'does not treat %j without a codename as Debian, even if it is derived from it',
    (osId) => {
      expect(releaseOf(platform('apt', osId, { osVersionId: '12' }))).toEqual({
        kind: 'unsupported',
        reason: 'other_distribution',
      });
    },
  );

  it.each(['', 'sid', 'trixie/sid', '12x', '-1', '1234'])('has no release for Debian %j', (versionId) => {
    expect(releaseOf(platform('apt', 'debian', { osVersionId: versionId }))).toEqual({
      kind: 'unsupported',
      reason: 'no_release_number',
    });
  });
});

describe('a release', () => {
  it('belongs to its distribution and its feed', () => {
    expect(distributionOf('debian:12' as Release)?.id).toBe('debian');
    expect(feedForRelease('debian:12' as Release)?.id).toBe('debian-osv');
    expect(distributionOf('ubuntu:22.04' as Release)?.id).toBe('ubuntu');
    expect(feedForRelease('ubuntu:22.04' as Release)?.id).toBe('ubuntu-osv');
    expect(distributionOf('plan9:4' as Release)).toBeNull();
    expect(feedForRelease('plan9:4' as Release)).toBeNull();
  });

  // distro-info-data, eol-lts: the last day of support counts.
  it.each([
    ['debian:10', '2024-07-01T00:00:00.000Z'],
    ['debian:11', '2026-09-01T00:00:00.000Z'],
    ['debian:12', '2028-07-01T00:00:00.000Z'],
    ['debian:13', '2030-07-01T00:00:00.000Z'],
  ])('%s is out of support from %s on', (release, endsAt) => {
    expect(
      distributionOf(release as Release)
        ?.lifecycleOf(release as Release)
        ?.endsAt.toISOString(),
    ).toBe(endsAt);
  });

  it('has no end if none is set', () => {
    expect(distributionOf('debian:14' as Release)?.lifecycleOf('debian:14' as Release)).toBeNull();
  });
});

describe('on a release that no distribution owns', () => {
  const release = 'plan9:4' as Release;

  it('every package and every update is unknown', () => {
    const unknown = { kind: 'unknown', reason: 'unsupported_release' };
    expect(classifyPackage(installed('curl', '1'), release)).toMatchObject(unknown);
    expect(classifyUpgrade(offered('curl', '1', '2'), release)).toMatchObject(unknown);
  });
});
