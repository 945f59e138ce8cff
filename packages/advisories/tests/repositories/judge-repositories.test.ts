import type { Repository, RepositoryRefresh, SectionFailure } from '@plimsoll/model';
import fc from 'fast-check';
import { judgeCopy, judgeRepositories, repositoryCopies } from '../../src/index.ts';

const now = new Date('2026-11-22T12:00:00Z');
const dayMs = 24 * 60 * 60 * 1000;
const ago = (days: number) => new Date(now.getTime() - days * dayMs);

const base = {
  publishedAt: ago(20),
  validUntil: null,
  fetchedAt: ago(0.1),
  error: '',
};
const context = { newestAt: ago(1), seenAt: ago(1), maxLagDays: 7, hostFetchedAt: ago(0.1), now };

describe('a copy of a repository', () => {
  it.each([
    ['is behind a newer one', {}, {}, 'outdated', 'behind'],
    ['may be a week older', { publishedAt: ago(8) }, {}, 'current', 'as_new'],
    ['is behind by a moment more', { publishedAt: new Date(ago(8).getTime() - 1) }, {}, 'outdated', 'behind'],
    ['may be as old as the setting allows', {}, { maxLagDays: 30 }, 'current', 'as_new'],
    [
      'is not known to be current if few hosts have a newer one',
      {},
      { newestAt: ago(20) },
      'unknown',
      'newer_on_few',
    ],
    [
      'is not known to be current by its Valid-Until if one host has a newer one',
      { validUntil: ago(-1) },
      { newestAt: null },
      'unknown',
      'newer_on_few',
    ],
    [
      'is not behind a date in the future',
      {},
      { newestAt: ago(-1), seenAt: ago(-1) },
      'unknown',
      'nothing_to_compare',
    ],
    ['is ignored if its date is in the future', { publishedAt: ago(-1) }, {}, 'unknown', 'future_date'],
    [
      'is outdated at its Valid-Until',
      { publishedAt: ago(1), validUntil: ago(0.01) },
      {},
      'outdated',
      'expired',
    ],
    [
      'is not outdated before its Valid-Until',
      { validUntil: ago(-1) },
      { newestAt: null, seenAt: ago(20) },
      'current',
      'still_valid',
    ],
    ['is behind although it is valid', { validUntil: ago(-1) }, {}, 'outdated', 'behind'],
    ['has nothing to compare with', {}, { newestAt: null, seenAt: null }, 'unknown', 'nothing_to_compare'],
    ['has no date', { publishedAt: null }, {}, 'unknown', 'no_date'],
    ['was never fetched', { publishedAt: null, fetchedAt: null }, {}, 'unknown', 'never_fetched'],
    ['could not be fetched', { publishedAt: ago(1), error: 'the key has expired' }, {}, 'unknown', 'failed'],
    ['is behind even if a fetch failed', { error: 'the key has expired' }, {}, 'outdated', 'behind'],
    ['was left behind', { publishedAt: ago(1), fetchedAt: ago(9) }, {}, 'unknown', 'left_behind'],
  ] as const)('%s', (_what, copy, against, state, reason) => {
    expect(judgeCopy({ ...base, ...copy }, { ...context, ...against })).toEqual({ state, reason });
  });

  it('is never outdated and never current without proof', () => {
    const date = fc.option(fc.integer({ min: -40, max: 40 }).map(ago));
    const copy = fc.record({
      publishedAt: date,
      validUntil: date,
      fetchedAt: date,
      error: fc.constantFrom('', 'the key has expired'),
    });
    const against = fc.record({
      newestAt: date,
      seenAt: date,
      hostFetchedAt: date,
      maxLagDays: fc.integer({ min: 1, max: 30 }),
    });
    fc.assert(
      fc.property(copy, against, (said, by) => {
        const { state } = judgeCopy(said, { ...by, now });
        const isOver = said.validUntil !== null && said.validUntil < now;
        const newest = by.newestAt !== null && by.newestAt <= now ? by.newestAt.getTime() : null;
        const lag = newest === null || said.publishedAt === null ? null : newest - said.publishedAt.getTime();
        const isBehind = lag !== null && lag > by.maxLagDays * dayMs;
        const isSeenNewer =
          by.seenAt !== null &&
          by.seenAt <= now &&
          said.publishedAt !== null &&
          by.seenAt.getTime() - said.publishedAt.getTime() > by.maxLagDays * dayMs;
        if (isSeenNewer) expect(state).not.toBe('current');
        if (state === 'outdated') expect(isOver || isBehind).toBe(true);
        if (isOver) expect(state).toBe('outdated');
        if (state === 'current') {
          expect(isOver || isBehind || said.error !== '' || said.publishedAt === null).toBe(false);
          expect(newest !== null || said.validUntil !== null).toBe(true);
        }
      }),
    );
  });
});

const platform = { osFamily: 'apt', osId: 'ubuntu', osVersionId: '24.04', architecture: 'amd64' } as const;
const site = 'archive.ubuntu.com_ubuntu_dists_noble-security';

function repository(id: string, changes: Partial<Repository> = {}): Repository {
  const url = 'http://archive.ubuntu.com/ubuntu';
  return { id, url, enabled: true, suite: 'noble-security', origin: 'Ubuntu', ...changes };
}

function refresh(repositoryId: string, changes: Partial<RepositoryRefresh> = {}): RepositoryRefresh {
  return { repositoryId, at: ago(0.1), publishedAt: ago(1), validUntil: null, error: '', ...changes };
}

function copies(
  repositories: readonly Repository[],
  refreshed: readonly RepositoryRefresh[] = [],
  vendors = ['Ubuntu'],
) {
  return repositoryCopies({ platform, repositories, refreshed, vendors: new Set(vendors), failures: [] });
}

const keyOf = (entry: Repository, host: object = {}) =>
  repositoryCopies({
    platform: { ...platform, ...host },
    repositories: [entry],
    refreshed: [],
    vendors: null,
    failures: [],
  })[0]?.identity?.key ?? null;

describe('two copies are of the same repository', () => {
  const noble = repository(`${site}_main_binary-amd64`);

  it.each([
    [
      'a mirror of the distribution',
      { id: 'mirror.corp_u_dists_noble-security_main_binary-amd64', url: 'https://mirror.corp/u/' },
      true,
    ],
    ['another component', { id: `${site}_universe_binary-amd64` }, false],
    ['another architecture', { id: `${site}_main_binary-arm64` }, false],
    ['another suite', { suite: 'noble-updates' }, false],
    ['another Origin, as of a mirror that republishes', { origin: 'Artifactory' }, false],
  ])('with %s', (_what, changes, same) => {
    expect(keyOf(repository(noble.id, changes)) === keyOf(noble)).toBe(same);
  });

  it('need the same address if they are a third party’s, because one Origin has many repositories', () => {
    const at = (url: string) => keyOf(repository('x', { origin: 'Google LLC', suite: 'stable', url }));
    expect(at('https://dl.google.com/linux/chrome/deb/')).toBe(at('http://dl.google.com/linux/chrome/deb'));
    expect(at('https://dl.google.com/linux/chrome/deb/')).not.toBe(
      at('https://dl.google.com/linux/earth/deb/'),
    );
    expect(at('file:/srv/repository')).toBeNull();
  });

  it.each(['suite', 'origin', 'url'] as const)('cannot be determined with an overlong %s', (field) => {
    const endless = `https://mirror.example/${'/'.repeat(1_000_000)}x`;
    const before = process.cpuUsage();
    expect(keyOf(repository('x', { [field]: endless }))).toBeNull();
    // Linear: a quadratic search for the last slashes takes minutes.
    expect(process.cpuUsage(before).user).toBeLessThan(20_000_000);
  });

  it('are determined on rpm by the base address, or by repository and release behind a mirror list', () => {
    const on = (id: string, url: string, osVersionId = '9.4') =>
      keyOf(repository(id, { url, origin: '', suite: '' }), {
        osFamily: 'rpm',
        osId: 'almalinux',
        osVersionId,
        architecture: 'x86_64',
      });
    const address = 'https://repo.almalinux.org/almalinux/9/BaseOS/x86_64/os';
    expect(on('baseos', `${address}/`)).toBe(on('corp-baseos', address));
    const list = 'https://mirrors.fedoraproject.org/metalink';
    expect(on('updates', list)).not.toBe(on('fedora', list));
    expect(on('updates', list)).not.toBe(on('updates', list, '10.0'));
    expect(on('updates', list)).toBe(on('updates', list, '9.5'));
    expect(on('baseos', 'file:///media/cdrom')).toBeNull();
  });
});

describe('the copies of a host', () => {
  it('are one for each Release file, with every component', () => {
    const lists = ['main', 'universe', 'restricted'].map((name) =>
      repository(`${site}_${name}_binary-amd64`),
    );
    expect(copies(lists, [refresh(site)])).toMatchObject([
      { source: site, component: 'main restricted universe', publishedAt: ago(1), isUsed: true },
    ]);
  });

  it('have components with slashes', () => {
    const list = repository('x_dists_stable_updates_main_binary-amd64');
    expect(copies([list], [refresh('x_dists_stable')])).toMatchObject([
      { source: 'x_dists_stable', component: 'updates_main' },
    ]);
  });

  it('are in use if enabled; those of third parties, if one of their packages is installed', () => {
    const docker = repository('docker', { origin: 'Docker' });
    const isUsed = (entry: Repository, vendors?: string[]) => copies([entry], [], vendors)[0]?.isUsed;
    expect(isUsed(repository(site))).toBe(true);
    expect(isUsed(repository(site), [])).toBe(true);
    expect(isUsed(repository(site, { enabled: false }))).toBe(false);
    expect(isUsed(docker)).toBe(false);
    expect(isUsed(docker, ['Docker'])).toBe(true);
  });

  it('are listed in bounded time, for any host data', () => {
    const hostile = Array.from({ length: 10_000 }, (_, index) =>
      repository(`${'_x'.repeat(500)}${index}_binary-a`),
    );
    const before = process.cpuUsage();
    expect(copies(hostile).length).toBeLessThanOrEqual(500);
    expect(process.cpuUsage(before).user).toBeLessThan(20_000_000);
  });
});

describe('a host', () => {
  const lag = { defaultDays: 7, exceptions: [] };
  const judge = (
    entries: readonly Repository[],
    refreshed: readonly RepositoryRefresh[],
    newest: Date | null,
    failures: readonly SectionFailure[] = [],
  ) => {
    const newestOf = () => ({ newestAt: newest, seenAt: newest });
    const all = repositoryCopies({
      platform,
      repositories: entries,
      refreshed,
      vendors: new Set(['Ubuntu']),
      failures,
    });
    return judgeRepositories(all, { lag, tags: [], newestOf, failures, now });
  };

  it('is outdated by one of its repositories among healthy ones', () => {
    const entries = ['a', 'b', 'c'].map((id) => repository(id));
    const refreshed = [refresh('a'), refresh('b', { publishedAt: ago(20) }), refresh('c')];
    expect(judge(entries, refreshed, ago(1)).state).toBe('outdated');
    expect(judge(entries, [refresh('a'), refresh('b'), refresh('c')], ago(1)).state).toBe('current');
    expect(judge(entries, [refresh('a'), refresh('c')], ago(1)).state).toBe('unknown');
  });

  it('is unknown without repositories, or with only disabled ones', () => {
    expect(judge([], [], ago(1)).state).toBe('unknown');
    const disabled = repository('a', { enabled: false });
    const old = refresh('a', { publishedAt: ago(300), validUntil: ago(293) });
    expect(judge([disabled], [old], ago(1))).toMatchObject({ state: 'unknown', validUntil: null });
  });

  it('is judged by the slower ring of its tag', () => {
    const rings = {
      defaultDays: 7,
      exceptions: [
        { repository: null, tag: 'ring-2', days: 14 },
        { repository: null, tag: 'ring-3', days: 30 },
        { repository: 'noble-security', tag: null, days: 3 },
        { repository: 'noble-security', tag: 'ring-3', days: 25 },
      ],
    };
    const daysFor = (...tags: string[]) =>
      judgeRepositories(copies([repository('a')], [refresh('a')]), {
        lag: rings,
        tags,
        newestOf: () => ({ newestAt: ago(1), seenAt: ago(1) }),
        failures: [],
        now,
      }).copies[0]?.maxLagDays;
    expect([daysFor(), daysFor('ring-2'), daysFor('ring-2', 'ring-3')]).toEqual([3, 14, 25]);
  });

  it.each([
    [
      "updates: a repository was left out: Failed to synchronize cache for repo 'epel', ignoring this repo.",
      true,
    ],
    ["updates: a repository was left out: Error: Failed to download metadata for repo 'baseos': 404", true],
    ['updates: a repository was left out: Cache-only enabled but no cache for epel', false],
    [
      "updates: Cache-only enabled but no cache for 'epel': Failed to download metadata for repo 'crb': 404",
      true,
    ],
    ['updates: Cannot retrieve metalink for repository: baseos/x86_64. Please verify its path', true],
    [
      'updates: >>> Status code: 404 for https://example.org/repomd.xml: Failed to load repository "baseos"',
      true,
    ],
    ["updates: Repository 'baseos': The gpg key signing file 'repomd.xml' has expired.", true],
    ["updates: Problem retrieving files from 'baseos'.", true],
    ["updates: Timeout exceeded when accessing 'https://example.org/'.", true],
    ["updates: a repository was left out: Repository 'oss' is out-of-date.", false],
    ['updates: the exit status is 127', false],
  ])('fails by the words of its tool: %s', (detail, fails) => {
    const copy = repository('baseos', { suite: '' });
    const { error } = judge([copy], [refresh('baseos')], ago(1), [{ section: 'upgradable', detail }]);
    expect(error !== '').toBe(fails);
    if (fails) expect(detail.endsWith(error.replace('baseos: ', ''))).toBe(true);
  });

  it('looks at each error once, however many repositories it has', () => {
    const entries = Array.from({ length: 500 }, (_, index) => repository(`r${index}`));
    const failures = Array.from({ length: 400 }, (_, index) => ({
      section: 'upgradable',
      detail: `updates: ${index} ${'Failed to fetc '.repeat(270)} is not signed`,
    }));
    const before = process.cpuUsage();
    judge(entries, [], ago(1), failures);
    expect(process.cpuUsage(before).user).toBeLessThan(20_000_000);
  });

  it('fails by the error of a fetch, not by that of a disabled repository', () => {
    const said = refresh('a', { error: 'every key that signs it has expired' });
    expect(judge([repository('a')], [said], ago(1)).error).toBe(
      'noble-security: every key that signs it has expired',
    );
    expect(judge([repository('a', { enabled: false })], [said], ago(1)).error).toBe('');
    expect(judge([repository('a', { origin: 'Docker' })], [said], ago(1)).error).not.toBe('');
  });

  it('has the earliest end of validity of its copies', () => {
    const refreshed = [refresh('a', { validUntil: ago(-3) }), refresh('b', { validUntil: ago(-1) })];
    expect(judge([repository('a'), repository('b')], refreshed, ago(1)).validUntil).toEqual(ago(-1));
  });
});
