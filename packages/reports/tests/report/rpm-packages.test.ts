import {
  alma,
  almaSnapshot,
  failuresOf,
  parseDebian,
  rpmRow,
  type Sections,
  snapshotOf,
} from './report-builder.ts';

function packages(rows: readonly string[], changes: Sections = {}) {
  return almaSnapshot({ rpm: rows.join('\n'), ...changes }).packages;
}

describe('an installed rpm package', () => {
  it.each([
    ['(none)', '5.1.8-9.el9', '5.1.8-9.el9'],
    ['0', '5.1.8-9.el9', '5.1.8-9.el9'],
    ['32', '9.16.23-24.el9_5', '32:9.16.23-24.el9_5'],
    ['(none)', '8.0-', '8.0'],
  ])('of epoch %j and version-release %j is version %j', (epoch, versionRelease, version) => {
    expect(packages([rpmRow('p', versionRelease, { epoch })])[0]?.version).toBe(version);
  });

  it.each([
    ['bind-9.16.23-24.el9_5.src.rpm', 'bind', '9.16.23-24.el9_5'],
    ['java-17-openjdk-17.0.13.0.11-4.el9.src.rpm', 'java-17-openjdk', '17.0.13.0.11-4.el9'],
    ['closed-1.0-1.nosrc.rpm', 'closed', '1.0-1'],
    ['(none)', 'p', '1.0-1'],
    ['nonsense', 'p', '1.0-1'],
    ['-1-2.src.rpm', 'p', '1.0-1'],
  ])('with the source package %j has source %s %s', (source, sourceName, sourceVersion) => {
    expect(packages([rpmRow('p', '1.0-1', { source })])).toMatchObject([{ sourceName, sourceVersion }]);
  });

  it.each(['python3-unbound', 'java-17-openjdk', 'a', 'libstdc++', '389-ds-base', 'NetworkManager-libnm'])(
    'may be called %s',
    (name) => {
      expect(packages([rpmRow(name, '1.2-3.el9')])[0]?.name).toBe(name);
    },
  );

  it('has its module label, or none if rpm prints "(none)"', () => {
    const label = 'nodejs:18:9050020241113064542:rhel9';
    const rows = [rpmRow('a', '1-1', { module: label }), rpmRow('b', '1-1.module_el9')];
    expect(packages(rows).map(({ module }) => module)).toEqual([label, '']);
  });

  it('has vendor, install time and the key of its signature', () => {
    const row = rpmRow('p', '1-1', {
      vendor: "Remi's RPM repository <https://rpms.remirepo.net/>",
      time: '1700000000',
      signature: 'RSA/SHA256, Tue Nov 12 10:00:00 2024, Key ID D36CB86CB86B3716',
    });
    expect(packages([row])).toMatchObject([
      {
        vendor: "Remi's RPM repository <https://rpms.remirepo.net/>",
        installedAt: new Date(1_700_000_000_000),
        signingKey: 'd36cb86cb86b3716',
      },
    ]);
  });

  it('has the id of its key also where rpm 6 shows a fingerprint', () => {
    const signature =
      'RSA/SHA256, Thu Aug 21 10:00:00 2025, Key Fingerprint: c6e7f081cf80e13146676e88829b606631645531';
    expect(packages([rpmRow('p', '1-1', { signature })])).toMatchObject([{ signingKey: '829b606631645531' }]);
  });

  // rpm issue 2171.
  it('is unfinished if it is there twice, unless several may be', () => {
    const rows = ['glibc', 'linux', 'linux-esx'].flatMap((name) => [
      rpmRow(name, '1-1'),
      rpmRow(name, '1-1'),
    ]);
    expect(almaSnapshot({ rpm: rows.join('\n') }).broken).toMatchObject([
      { name: 'glibc', state: 'duplicate' },
    ]);
  });

  it('keeps its columns if the vendor contains a tab', () => {
    const row = rpmRow('p', '1-1', { vendor: 'a\tb', time: '1700000000' });
    expect(packages([row])).toMatchObject([{ vendor: 'a b', installedAt: new Date(1_700_000_000_000) }]);
  });

  it('is never a key', () => {
    const key = rpmRow('gpg-pubkey', 'ced7258b-6525146f', { architecture: '(none)', source: '(none)' });
    expect(packages([key, rpmRow('bash', '1-1')]).map(({ name }) => name)).toEqual(['bash']);
  });

  it('is a row for each architecture, and each version of a kernel', () => {
    const rows = [
      rpmRow('glibc', '2.34-125.el9_5', { architecture: 'i686' }),
      rpmRow('glibc', '2.34-125.el9_5'),
      rpmRow('kernel-core', '5.14.0-427.el9'),
      rpmRow('kernel-core', '5.14.0-503.el9'),
    ];
    expect(packages(rows)).toHaveLength(4);
  });

  it('with too few columns is left out, and the list is incomplete', () => {
    const snapshot = almaSnapshot({ rpm: `${alma['rpm']}\nbash 5.1 9.el9` });
    expect(snapshot.packages).toHaveLength(1);
    expect(failuresOf(snapshot)).toEqual([expect.stringMatching(/^packages: rpm: line \d+ has 1 columns/)]);
  });
});

describe('error output beside an answer', () => {
  it.each([
    ['warning: Found bdb_ro Packages database while attempting sqlite backend: using bdb_ro backend.', []],
    ['warning: waiting for shared lock on /var/lib/rpm/.rpm.lock', []],
    ['error: rpmdb: damaged header #24 retrieved -- skipping.', ['packages']],
    ['words that no list has', ['packages']],
    ['This system is not registered with an entitlement server. You can use "rhc" to register.', []],
    ['This system is registered with an entitlement server, but is not receiving updates.', ['packages']],
    ['Update notice RHSA-2025:1 (from baseos) is broken, or a bad duplicate, skipping.', ['packages']],
    ['*** the database is damaged', ['packages']],
    ['Your system cannot be read', ['packages']],
  ])('makes the packages incomplete unless it is harmless: %s', (said, facts) => {
    const rpm = { text: String(alma['rpm']), exit: 0, said };
    expect(almaSnapshot({ rpm }).failures.map(({ section }) => section)).toEqual(facts);
  });

  it.each([
    [
      "N: Ignoring file 'x.bak' in directory '/etc/apt/sources.list.d/' as it has an invalid filename extension",
      0,
    ],
    ["Notice: Missing Signed-By in the sources.list(5) entry for 'http://deb.debian.org/debian'", 0],
    ['W: Unable to read /etc/apt/preferences.d/pin - open (13: Permission denied)', 1],
    ['Warning: Unable to read /etc/apt/sources.list.d/own.list - open (13: Permission denied)', 1],
  ])('makes the updates of apt unknown unless it is harmless: %s', (said, unknown) => {
    const text = '0 upgraded, 0 newly installed, 0 to remove and 0 not upgraded.';
    const parsed = parseDebian({ 'apt-upgrade': { text, exit: 0, said } });
    expect(snapshotOf(parsed).failures).toHaveLength(unknown);
    expect(parsed.kind === 'snapshot' && parsed.warnings).toHaveLength(unknown);
  });
});

it('all error output of a section is the detail of its failure', () => {
  const updates = {
    text: 'tool\tdnf5',
    exit: 0,
    said: 'Repositories loaded.\n>>> Status code: 404\nFailed to load "epel"',
  };
  expect(failuresOf(almaSnapshot({ updates }))).toEqual([
    'upgradable: updates: >>> Status code: 404: Failed to load "epel"',
  ]);
});

describe('locks and excludes', () => {
  const rows = ['kernel-core', 'kernel-modules', 'bash', 'php', 'php-cli', 'postgresql15-server'].map(
    (name) => rpmRow(name, '1-1'),
  );

  it.each([
    ['bash-0:5.1.8-9.el9.*', ['bash']],
    ['0:bash-5.1.8-9.el9.*', ['bash']],
    ['!bash-0:5.1.8-9.el9.*', ['bash']],
    ['postgresql15-server-0:15.10-1.el9.x86_64', ['postgresql15-server']],
    ['kernel*', ['kernel-core', 'kernel-modules']],
    ['exclude=kernel* php,bash', ['bash', 'kernel-core', 'kernel-modules', 'php']],
    ['excludepkgs = *-cli ?hp', ['php', 'php-cli']],
    ['# bash', []],
    ['bash.x86_64', ['bash']],
    ["# Added by 'versionlock add'\nPackage name: bash\nevr = 5.2.26-3.fc40", ['bash']],
    [
      '# | Name    | Type    | Repository\n--+---------+---------+---\n1 | bash    | package | (any)\n2 | php     | patch   | (any)',
      ['bash'],
    ],
    ['', []],
  ])('%j hold %j', (locks, held) => {
    const snapshot = almaSnapshot({ rpm: rows.join('\n'), locks, 'updates-held': 'tool\tdnf' });
    expect(snapshot.packages.filter((entry) => entry.held).map(({ name }) => name)).toEqual(held);
    expect(snapshot.failures).toEqual([]);
  });

  it('do not hold an update that is offered despite them', () => {
    const updates = { text: 'tool\tdnf\nbash.x86_64 1-2 baseos', exit: 100 };
    expect(packages(rows, { locks: 'bash-0:1-2.*', updates }).some(({ held }) => held)).toBe(false);
  });

  it('that are unknown are listed as a failure', () => {
    expect(failuresOf(almaSnapshot({ locks: { exit: 1, said: 'cannot read' } }))).toEqual([
      'locks: locks: exit status 1: cannot read',
    ]);
  });

  it('need a bounded number of comparisons', () => {
    const many = Array.from({ length: 20_000 }, (_, index) => rpmRow(`${'a'.repeat(200)}${index}`, '1-1'));
    const locks = Array.from({ length: 900 }, (_, index) => `*${'a'.repeat(100)}${index}b*`).join('\n');
    expect(failuresOf(almaSnapshot({ rpm: many.join('\n'), locks }))).toEqual([
      'locks: locks: too many patterns for so many packages',
    ]);
  });

  it('may have a thousand names', () => {
    const locks = Array.from({ length: 2_000 }, (_, index) => `p${index}`).join('\n');
    expect(failuresOf(almaSnapshot({ locks }))).toEqual(['locks: locks: more than 1000 names are locked']);
  });
});

describe('modules, repositories and subscription of an rpm host', () => {
  it('include the enabled streams, which are text', () => {
    expect(almaSnapshot({ modules: 'nodejs\t18\npostgresql\t1.10' }).moduleStreams).toEqual([
      { name: 'nodejs', stream: '18', enabled: true },
      { name: 'postgresql', stream: '1.10', enabled: true },
    ]);
  });

  it.each([
    [
      {
        exit: 1,
        said: "This system is not yet registered. Try 'subscription-manager register --help' for more information.",
      },
      false,
    ],
    [{ exit: 0, text: 'system identity: 2c4d-1\nname: db-1\norg name: 1\nRelease not set' }, true],
  ])('are registered or not: %j', (subscription, attached) => {
    const snapshot = almaSnapshot({ subscription });
    expect(snapshot.subscription).toEqual({ kind: 'rhsm', attached, services: [] });
    expect(failuresOf(snapshot)).toEqual([]);
  });

  it('are unknown without root', () => {
    const snapshot = almaSnapshot({
      subscription: { exit: 77, said: 'subscription-manager answers root only' },
    });
    expect(snapshot.subscription).toBeNull();
    expect(failuresOf(snapshot)).toEqual([
      'subscription: subscription: exit status 77: subscription-manager answers root only',
    ]);
  });

  it('are unknown for any other output', () => {
    const snapshot = almaSnapshot({ subscription: 'Unable to verify server identity' });
    expect(snapshot).toMatchObject({ subscription: null, failures: [{ section: 'subscription' }] });
  });
});
