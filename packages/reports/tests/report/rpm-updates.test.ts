import { recorded } from './recorded.ts';
import { almaSnapshot, failuresOf, rpmRow, type Sections } from './report-builder.ts';

function output(tool: string, file: string): string {
  return `tool\t${tool}\n${recorded(`outputs/${file}`)}`;
}

const ofPlayground = [
  rpmRow('a-very-long-package-name-which-does-not-fit-into-a-terminal-of-eighty-columns', '1.0-1.el8'),
  rpmRow('bash', '4.4.20-4.el8'),
  rpmRow('bind-libs', '9.11.36-8.el8', { epoch: '32' }),
  rpmRow('java-17-openjdk-headless', '17.0.9.0.9-2.el8', { epoch: '1' }),
  rpmRow('kernel-core', '4.18.0-513.9.1.el8_9'),
  rpmRow('python3-unbound', '1.16.2-5.el8'),
  rpmRow('tzdata', '2023c-1.el8', { architecture: 'noarch' }),
].join('\n');

const offeredToPlayground = [
  'a-very-long-package-name-which-does-not-fit-into-a-terminal-of-eighty-columns.x86_64 1.0-1.el8 → 1.0.20251119gitdeadbeef-1.el8_10.1.alma.1',
  'bash.x86_64 4.4.20-4.el8 → 4.4.20-6.el8_10',
  'bind-libs.x86_64 32:9.11.36-8.el8 → 32:9.11.36-16.el8_10.6',
  'java-17-openjdk-headless.x86_64 1:17.0.9.0.9-2.el8 → 1:17.0.17.0.10-1.el8',
  'kernel-core.x86_64 4.18.0-513.9.1.el8_9 → 4.18.0-553.el8_10',
  'python3-unbound.x86_64 1.16.2-5.el8 → 1.16.2-5.el8_9.6',
  'tzdata.noarch 2023c-1.el8 → 2025b-1.el8',
];

function offered(changes: Sections): readonly string[] {
  return almaSnapshot(changes).upgrades.map(
    ({ name, architecture, installedVersion, candidateVersion }) =>
      `${name}.${architecture} ${installedVersion} → ${candidateVersion}`,
  );
}

describe('the updates of an rpm host', () => {
  it('are read from dnf 4', () => {
    const updates = { text: output('dnf', 'dnf4-check-update.txt'), exit: 100 };
    expect(offered({ rpm: ofPlayground, updates })).toEqual(offeredToPlayground);
    expect(almaSnapshot({ rpm: ofPlayground, updates }).failures).toEqual([]);
  });

  it('are read from zypper', () => {
    const updates = output('zypper', 'zypper-list-updates.txt');
    expect(offered({ rpm: ofPlayground, updates })).toEqual(offeredToPlayground);
  });

  it('are read from dnf 5, without obsoleted packages', () => {
    const updates = { text: output('dnf5', 'dnf5-check-update.txt'), exit: 100 };
    expect(offered({ updates })).toEqual([
      'NetworkManager.x86_64  → 1:1.52.1-1.fc42',
      'java-21-openjdk-headless.x86_64  → 1:21.0.8.0.9-1.fc42',
      'kernel-core.x86_64  → 6.16.4-200.fc42',
      'python3-unbound.x86_64  → 1.23.1-1.fc42',
      'tzdata.noarch  → 2025b-1.fc42',
    ]);
  });

  it('are read from yum, with wrapped rows, banners of subscription-manager, and obsoletes', () => {
    const updates = { text: output('yum', 'yum-check-update.txt'), exit: 100 };
    const snapshot = almaSnapshot({ updates });
    expect(
      snapshot.upgrades.map((upgrade) => [upgrade.name, upgrade.candidateVersion, upgrade.repository]),
    ).toEqual([
      ['bind-libs-lite', '32:9.11.4-26.P2.el7_9.16', 'updates'],
      ['java-1.8.0-openjdk-headless', '1:1.8.0.412.b08-1.el7_9', 'updates'],
      ['kernel', '3.10.0-1160.118.1.el7', 'updates'],
      ['kernel-tools-libs', '3.10.0-1160.118.1.el7', 'updates'],
      ['polkit-pkla-compat-and-a-name-that-does-not-fit', '0.1-4.el7', 'updates'],
      ['postgresql-libs', '9.2.24-9.el7_9.0.0.1.very.long.release.indeed', 'updates'],
    ]);
    expect(snapshot.failures).toEqual([]);
  });

  it('start from the newest of several installed kernels', () => {
    const rpm = [
      rpmRow('kernel-core', '5.14.0-503.11.1.el9_5', { time: '1732000000' }),
      rpmRow('kernel-core', '5.14.0-427.el9', { time: '1714000000' }),
    ].join('\n');
    const updates = { text: 'tool\tdnf\nkernel-core.x86_64 5.14.0-570.el9_6 baseos', exit: 100 };
    expect(offered({ rpm, updates })).toEqual([
      'kernel-core.x86_64 5.14.0-503.11.1.el9_5 → 5.14.0-570.el9_6',
    ]);
  });

  it('find the installed package if the update is architecture-independent', () => {
    const updates = { text: 'tool\tdnf\nbash.noarch 5.2-1.el9 baseos', exit: 100 };
    expect(offered({ updates })).toEqual(['bash.noarch 5.1.8-9.el9 → 5.2-1.el9']);
  });

  it('that only locks prevent are held', () => {
    const changes = {
      rpm: ofPlayground,
      updates: output('zypper', 'zypper-list-updates-locked.txt'),
      'updates-held': output('zypper', 'zypper-list-updates-all.txt'),
      locks: recorded('outputs/zypper-locks.txt'),
    };
    expect(offered(changes)).toEqual(offeredToPlayground);
    const held = almaSnapshot(changes).upgrades.filter((upgrade) => upgrade.held);
    expect(held.map(({ name }) => name)).toEqual(['bash', 'kernel-core']);
    expect(
      almaSnapshot(changes)
        .packages.filter((entry) => entry.held)
        .map(({ name }) => name),
    ).toEqual(['bash', 'kernel-core']);
  });
});

describe('updates that a host withholds by locks', () => {
  const rpm = [rpmRow('bash', '5.1-1.el9'), rpmRow('vim', '9.0-1.el9')].join('\n');
  const all = 'tool\tdnf\nbash.x86_64 5.1-2.el9 baseos\nvim.x86_64 9.0-2.el9 baseos';
  const states = (changes: Sections) =>
    almaSnapshot({ rpm, locks: 'bash', ...changes }).upgrades.map(
      ({ name, held }) => `${name} ${held ? 'held' : 'offered'}`,
    );

  it.each<[string, Sections]>([
    ['are missing', { updates: null }],
    ['hung', { updates: { text: 'tool\tdnf', exit: 124 } }],
    ['lack a repository', { updates: { text: 'tool\tdnf', exit: 1, said: 'Error: no cache' } }],
  ])('are those that locks name, if the updates with locks %s', (_what, changes) => {
    const sections = { ...changes, 'updates-held': { text: all, exit: 100 } };
    expect(states(sections)).toEqual(['bash held', 'vim offered']);
    expect(states({ ...sections, locks: '' })).toEqual(['bash offered', 'vim offered']);
    expect(failuresOf(almaSnapshot({ rpm, ...sections }))).toEqual([
      expect.stringMatching(/^upgradable: updates: /),
    ]);
  });

  it('are unknown if locks name packages and the updates without locks are missing', () => {
    const updates = { text: 'tool\tdnf\nvim.x86_64 9.0-2.el9 baseos', exit: 100 };
    const withLocks = (locks: string) => failuresOf(almaSnapshot({ rpm, updates, locks }));
    expect(withLocks('bash')).toEqual([
      'upgradable: updates-held: packages are locked, and the updates without locks are not known',
    ]);
    expect(withLocks('not-installed')).toEqual([]);
    expect(withLocks('')).toEqual([]);
  });
});

describe('unknown updates of an rpm host are never reported as none', () => {
  it.each<[string, Sections, RegExp]>([
    ['the section is missing', { updates: null }, /^updates: the report has no such section$/],
    [
      'dnf hung',
      { updates: { exit: 124, said: 'timed out after 120 seconds: dnf' } },
      /^updates: timed out: timed out after/,
    ],
    [
      'the updates that locks withhold are unknown',
      { 'updates-held': { text: 'tool\tdnf', exit: 124 } },
      /^updates-held: timed out$/,
    ],
    [
      'there is no package manager',
      { updates: { text: '', exit: 127 } },
      /^updates: there is no such command$/,
    ],
    ['no tool is named', { updates: 'bash.x86_64 5.2-1 baseos' }, /names no package manager/],
    ['an unknown tool is named', { updates: 'tool\tapk' }, /names no package manager/],
    [
      'dnf has no cache for a repository',
      {
        updates: { text: 'tool\tdnf', exit: 1, said: "Error: Cache-only enabled but no cache for 'baseos'" },
      },
      /^updates: exit status 1: Error: Cache-only enabled/,
    ],
    [
      'dnf leaves a repository out',
      {
        updates: {
          text: 'tool\tdnf',
          exit: 0,
          said: "Error: Cache-only enabled but no cache for 'x'\nIgnoring repositories: x",
        },
      },
      /^updates: a repository was left out: Error: Cache-only/,
    ],
    [
      'check-update announces updates and lists none',
      { updates: { text: 'tool\tdnf', exit: 100 } },
      /lists none that we can read/,
    ],
    [
      'zypper prints no list',
      { updates: 'tool\tzypper\nLoading repository data...' },
      /not a list of updates/,
    ],
    [
      'a row is unreadable',
      { updates: { text: 'tool\tdnf\nbash.x86_64 5.2 baseos', exit: 100 } },
      /line \d+ begins like an update, but is not one/,
    ],
    [
      'a line is nothing that we know',
      { updates: { text: 'tool\tdnf\nProblem 1: odd\ntar.x86_64 1.34-7 baseos', exit: 100 } },
      /line \d+ is not understood: Problem 1: odd/,
    ],
    [
      'a row of a table does not fit its heading',
      {
        updates:
          'tool\tzypper\nS | Repository | Name | Available Version | Arch\n--+-----+---+---+---\nv | a | bash | 5-1 | x86_64 | b',
      },
      /line \d+ is no update/,
    ],
    [
      'a wrapped row does not go on',
      { updates: { text: 'tool\tyum\nbash.x86_64\ntar.x86_64 1.34-7 baseos', exit: 100 } },
      /line \d+ begins like an update, but is not one/,
    ],
  ])('if %s', (_what, changes, detail) => {
    const { failures } = almaSnapshot(changes);
    expect(failures).toContainEqual({ section: 'upgradable', detail: expect.stringMatching(detail) });
  });

  it('updates of readable repositories are known', () => {
    const updates = { text: 'tool\tdnf\nbash.x86_64 5.2-1.el9 baseos', exit: 1, said: 'Error: no cache' };
    expect(almaSnapshot({ updates })).toMatchObject({
      upgrades: [{ name: 'bash' }],
      failures: [{ section: 'upgradable' }],
    });
  });

  it('zypper prints "No updates found." although it skipped a repository', () => {
    const text =
      "tool\tzypper\nWarning: Skipping repository 'repo-update' because of the above error.\nNo updates found.";
    expect(almaSnapshot({ updates: { text, exit: 106 } })).toMatchObject({
      upgrades: [],
      failures: [{ section: 'upgradable' }, { section: 'upgradable' }],
    });
  });

  it('no failure if the tool reports no updates', () => {
    expect(
      almaSnapshot({ updates: 'tool\tzypper\nReading installed packages...\nNo updates found.' }).failures,
    ).toEqual([]);
    expect(almaSnapshot({ updates: 'tool\tdnf\n' }).failures).toEqual([]);
  });

  // sumaform issue 335.
  it('zypper warns of an expired key in its output, and exits with 0', () => {
    const text =
      "tool\tzypper\nWarning: The gpg key signing file 'repomd.xml' has expired.\n  Repository:       Updates\nNo updates found.";
    const detail =
      "updates: Warning: The gpg key signing file 'repomd.xml' has expired.: Repository:       Updates";
    expect(almaSnapshot({ updates: text })).toMatchObject({
      upgrades: [],
      failures: [{ section: 'upgradable', detail }],
    });
  });

  // Nagios-Plugins issue 381; ansible issue 9164; amazon-linux-2023 issue 41; openvox issue 555.
  it.each([
    'Uploading Enabled Repositories Report',
    'This system is receiving updates from RHN Classic or RHN Satellite.',
    'WARNING:\n  A newer release of "Amazon Linux" is available.\n\n  Available Versions:\n\n  Version 2023.6.20250115:\n    Run the following command to upgrade to 2023.6.20250115:\n\n      dnf upgrade --releasever=2023.6.20250115\n\n    Release notes:\n     https://docs.aws.amazon.com/linux/al2023/release-notes/relnotes.html\n\n==',
    'Upgrades ',
  ])('no failure if a plugin says: %s', (said) => {
    const rows = 'bash.x86_64 5.2-1.el9 baseos';
    for (const updates of [
      { text: `tool\tdnf\n${said}\n${rows}`, exit: 100 },
      { text: `tool\tdnf\n${rows}`, exit: 100, said: said === 'Upgrades ' ? '' : said },
    ])
      expect(almaSnapshot({ updates })).toMatchObject({ upgrades: [{ name: 'bash' }], failures: [] });
  });

  it('lines that are neither an update nor a known banner become a note', () => {
    const updates = { text: 'tool\tdnf\nSomething new to say\nbash.x86_64 5.2-1.el9 baseos', exit: 100 };
    expect(almaSnapshot({ updates }).upgrades).toHaveLength(1);
  });
});

describe("the advisories of the host's own repositories", () => {
  function advisoriesFor(tool: string, ...files: readonly string[]) {
    const advisories = `tool\t${tool}\n${files.map((file) => recorded(`outputs/${file}`)).join('')}`;
    const updates = { text: output('dnf', 'dnf4-check-update.txt'), exit: 100 };
    const { upgrades, failures } = almaSnapshot({ rpm: ofPlayground, updates, advisories });
    expect(failures).toEqual([]);
    return upgrades
      .filter(({ advisoryIds }) => advisoryIds.length > 0)
      .map(({ name, advisoryIds, isSecurity }) => [name, advisoryIds.join(), isSecurity]);
  }

  it.each([
    ['dnf', ['dnf4-updateinfo-list.txt']],
    ['zypper', ['zypper-list-patches.txt', 'zypper-info-patch.txt']],
  ])('are joined to their updates, for %s', (tool, files) => {
    expect(advisoriesFor(tool, ...files)).toEqual([
      ['bind-libs', 'ALSA-2025:19912', true],
      ['tzdata', 'ALBA-2025:0001', false],
    ]);
  });

  it('are joined to their updates, for dnf5', () => {
    expect(advisoriesFor('dnf5', 'dnf5-advisory-list.txt')).toEqual([
      ['kernel-core', 'FEDORA-2025-2b7d5f1c66', true],
      ['tzdata', 'FEDORA-2025-0c1d2e3f4a', false],
    ]);
  });

  it('are joined to their updates, for yum, which puts the epoch first', () => {
    const advisories = output('yum', 'yum-updateinfo-list.txt');
    const updates = { text: output('yum', 'yum-check-update.txt'), exit: 100 };
    const named = almaSnapshot({ updates, advisories }).upgrades.filter(({ isSecurity }) => isSecurity);
    expect(named.map(({ name, advisoryIds }) => [name, ...advisoryIds])).toEqual([
      ['bind-libs-lite', 'RHSA-2023:4152'],
      ['kernel', 'RHSA-2024:1249'],
    ]);
  });

  it('exclude installed ones', () => {
    const advisories =
      'tool\tdnf\ni ALSA-1 Low/Sec. bash-4.4.20-6.el8_10.x86_64\n  ALSA-2 Low/Sec. bash-4.4.20-6.el8_10.x86_64';
    const updates = { text: 'tool\tdnf\nbash.x86_64 4.4.20-6.el8_10 baseos', exit: 100 };
    expect(almaSnapshot({ updates, advisories }).upgrades[0]?.advisoryIds).toEqual(['ALSA-2']);
  });

  it('that are unknown are listed as a failure', () => {
    expect(failuresOf(almaSnapshot({ advisories: { exit: 1, said: 'Error: no cache' } }))[0]).toBe(
      'advisories: advisories: exit status 1: Error: no cache',
    );
  });
});

describe('the repositories of an rpm host', () => {
  it.each([
    ['dnf', 'dnf4-repolist-v.txt', [{ id: 'baseos', url: 'file:///srv/updates', enabled: true }]],
    [
      'dnf5',
      'dnf5-repo-info.txt',
      [{ id: 'updates', url: 'https://mirrors.fedoraproject.org/metalink', enabled: true }],
    ],
    [
      'yum',
      'yum-repolist-v.txt',
      [
        { id: 'base', url: 'http://mirrorlist.centos.org/', enabled: true },
        { id: 'updates', url: 'http://vault.example.com/centos/7/updates/x86_64/', enabled: true },
      ],
    ],
    ['zypper', 'zypper-lr-u.txt', [{ id: 'repo-update', url: 'dir:/srv/updates', enabled: true }]],
  ])('are read from %s', (tool, file, expected) => {
    const { repositories, failures } = almaSnapshot({ repositories: output(tool, file) });
    expect(repositories).toEqual(expected.map((repository) => ({ ...repository, suite: '', origin: '' })));
    expect(failures).toEqual([]);
  });

  it('have no passwords in their addresses', () => {
    const repositories = 'tool\tdnf\nRepo-id : x\nRepo-baseurl : https://u:p@repo.example.com/x@y';
    expect(almaSnapshot({ repositories }).repositories[0]?.url).toBe('https://repo.example.com/x@y');
  });
});
