import type { Upgrade } from '@plimsoll/model';
import { debian, debianSnapshot, failuresOf, type Sections } from './report-builder.ts';

const main = 'http://deb.debian.org/debian bookworm/main amd64 Packages';
const security = 'http://security.debian.org/debian-security bookworm-security/main amd64 Packages';

function simulation(body: string, upgraded: number, added = 0): string {
  return `Calculating upgrade...\n${body}\n${upgraded} upgraded, ${added} newly installed, 0 to remove and 0 not upgraded.`;
}

/** bash 1.0 installed; the newer versions offered, from the newest, each as version, suffix of its line, and files. */
function bash(candidate: string, newer: readonly (readonly [string, string, readonly string[]])[]): string {
  const table = newer.flatMap(([version, suffix, files]) => [
    `     ${version} 500${suffix}`,
    ...files.map((file) => `        500 ${file}`),
  ]);
  return `bash:\n  Installed: 1.0\n  Candidate: ${candidate}\n  Version table:\n${table.join('\n')}\n *** 1.0 100\n        100 /var/lib/dpkg/status`;
}

const installedBash = 'ii \tbash\tamd64\t1.0\tbash\t1.0';

function upgrades(changes: Sections): readonly Upgrade[] {
  return debianSnapshot({ dpkg: installedBash, ...changes }).upgrades;
}

describe('an update of an apt host', () => {
  it('has version and repository from the policy, and its source from the candidates', () => {
    const offered = upgrades({
      'apt-policy': bash('1.2', [['1.2', '', [security]]]),
      'apt-upgrade': simulation('Inst bash [1.0] (1.2 Debian-Security:12/stable-security [amd64])', 1),
      'apt-candidates': 'Package: bash\nVersion: 1.2\nArchitecture: amd64\nSource: bash-src (1.2-1)\n',
    });
    expect(offered).toEqual([
      {
        name: 'bash',
        architecture: 'amd64',
        installedVersion: '1.0',
        candidateVersion: '1.2',
        repository: 'Debian-Security:12/stable-security',
        isSecurity: true,
        held: false,
        phased: false,
        sourceName: 'bash-src',
        sourceVersion: '1.2-1',
        suite: 'bookworm-security',
        origin: 'Debian',
        label: 'Debian-Security',
        advisoryIds: [],
      },
    ]);
  });

  it('is a security update if it skips a version that is one', () => {
    const policies = (offered: readonly (readonly [string, string, readonly string[]])[]) => ({
      'apt-policy': bash('1.3', offered),
      'apt-upgrade': simulation('Inst bash [1.0] (1.3 Debian:12.11/stable [amd64])', 1),
    });
    expect(
      upgrades(
        policies([
          ['1.3', '', [main]],
          ['1.2', '', [security]],
        ]),
      )[0]?.isSecurity,
    ).toBe(true);
    expect(upgrades(policies([['1.3', '', [main]]]))[0]?.isSecurity).toBe(false);
  });

  it('that is newly installed has no installed version, and its repository from the simulation', () => {
    const line = 'Inst linux-image-6.1.0-40-amd64 (6.1.153-1 Debian-Security:12/stable-security [amd64])';
    const offered = upgrades({
      'apt-upgrade': simulation(line, 0, 1),
      'apt-candidates':
        'Package: linux-image-6.1.0-40-amd64\nSource: linux-signed-amd64 (6.1.153+1)\nVersion: 6.1.153-1\nArchitecture: amd64',
    });
    expect(offered).toMatchObject([
      {
        name: 'linux-image-6.1.0-40-amd64',
        installedVersion: '',
        sourceName: 'linux-signed-amd64',
        sourceVersion: '6.1.153+1',
        suite: 'bookworm-security',
        origin: 'Debian',
        isSecurity: true,
      },
    ]);
  });

  it('of a foreign architecture is distinct from the native one’s', () => {
    const dpkg = 'ii \tlibc6\tamd64\t1.0\tglibc\t1.0\nii \tlibc6\ti386\t1.0\tglibc\t1.0';
    const body =
      'Inst libc6:i386 [1.0] (1.1 Debian:12.11/stable [i386]) [libc6:amd64 ]\nInst libc6 [1.0] (1.1 Debian:12.11/stable [amd64])';
    expect(
      upgrades({ dpkg, 'apt-upgrade': simulation(body, 2) }).map(({ name, architecture }) => [
        name,
        architecture,
      ]),
    ).toEqual([
      ['libc6', 'amd64'],
      ['libc6', 'i386'],
    ]);
  });

  it('may come from a repository without a Release file', () => {
    const body = 'Inst bash [1.0] (1.2 pkgs.example.com [amd64])\nInst tool [1] (2 [all])';
    expect(upgrades({ 'apt-upgrade': simulation(body, 2) }).map(({ repository }) => repository)).toEqual([
      'pkgs.example.com',
      '',
    ]);
  });
});

describe('an update that apt would not install', () => {
  const offer = [['1.2', '', [main]]] as const;
  const phased = [['1.2', ' (phased 10%)', [main]]] as const;
  const nothing = simulation('', 0);
  const keptBack = simulation('The following packages have been kept back:\n  bash', 0);
  const deferred = simulation(
    'The following upgrades have been deferred due to phasing:\n  bash coreutils\n  zlib1g',
    0,
  );

  it.each([
    ['is held by name', 'hi ', offer, keptBack, [true, false]],
    ['is held by name, and missing in the simulation', 'hi ', offer, nothing, [true, false]],
    ['is kept back', 'ii ', offer, keptBack, [true, false]],
    ['is kept back by an apt that reports phasing', 'ii ', phased, keptBack, [false, true]],
    ['is deferred due to phasing', 'ii ', offer, deferred, [false, true]],
    ['is held by name and phased', 'hi ', phased, deferred, [true, true]],
  ])('that %s is listed with that reason', (_what, status, versions, simulated, [held, isPhased]) => {
    const offered = upgrades({
      dpkg: `${status}\tbash\tamd64\t1.0\tbash\t1.0`,
      'apt-policy': bash('1.2', versions),
      'apt-upgrade': simulated,
    });
    expect(offered).toMatchObject([
      {
        candidateVersion: '1.2',
        installedVersion: '1.0',
        held,
        phased: isPhased,
        repository: 'Debian:12.11/stable',
      },
    ]);
  });

  it('is not listed if the candidate is older than or equal to the installed version', () => {
    const older =
      'bash:\n  Installed: 1.0\n  Candidate: 0.9\n  Version table:\n *** 1.0 100\n        100 /var/lib/dpkg/status\n     0.9 1001\n       1001 http://deb.debian.org/debian bookworm/main amd64 Packages';
    expect(upgrades({ 'apt-policy': older })).toEqual([]);
    expect(debianSnapshot().upgrades).toEqual([]);
  });

  it('is counted once if the simulation lists it for another architecture', () => {
    const offered = upgrades({
      'apt-policy': bash('1.2', offer),
      'apt-upgrade': simulation('Inst bash [1.0] (1.2 Debian:12.11/stable [all])', 1),
    });
    expect(offered).toMatchObject([{ architecture: 'all', held: false }]);
  });
});

describe('unknown updates are never reported as none', () => {
  it.each<[string, Sections, string]>([
    ['the simulation is missing', { 'apt-upgrade': null }, 'apt-upgrade: the report has no such section'],
    [
      'a dpkg lock is held by someone else',
      {
        'apt-upgrade': {
          exit: 100,
          said: 'E: Could not get lock /var/lib/dpkg/lock-frontend. It is held by process 1 (apt)',
        },
      },
      'apt-upgrade: exit status 100: E: Could not get lock /var/lib/dpkg/lock-frontend. It is held by process 1 (apt)',
    ],
    ['apt-get timed out', { 'apt-upgrade': { exit: 124 } }, 'apt-upgrade: timed out'],
    ...(['The following packages have been kept back:', 'Not upgrading yet due to phasing:'] as const).map(
      (heading): [string, Sections, string] => [
        `the policies are missing, and apt says "${heading}"`,
        { 'apt-policy': { exit: 124 }, 'apt-upgrade': `${heading}\n  bash\n${simulation('', 0)}` },
        'apt-upgrade: apt withholds updates that apt-policy does not have: bash',
      ],
    ),
    [
      'apt-get printed no summary',
      { 'apt-upgrade': 'Reading package lists...' },
      'apt-upgrade: it has no summary of the upgrade',
    ],
    [
      'apt-get answered in another language',
      {
        'apt-upgrade':
          'Inst bash [1.0] (1.2 Debian:12/stable [amd64])\n1 aktualisiert, 0 neu installiert, 0 zu entfernen und 0 nicht aktualisiert.',
      },
      'apt-upgrade: it has no summary of the upgrade',
    ],
    [
      'lines are missing',
      { 'apt-upgrade': simulation('', 3) },
      'apt-upgrade: it names 0 packages, but counts 3',
    ],
    [
      'a line is broken',
      { 'apt-upgrade': simulation('Inst bash [1.0] (1.2', 1) },
      expect.stringMatching(/line \d+ was not understood/),
    ],
    [
      'the lists were never fetched',
      { 'apt-files': 'Package files:\n 100 /var/lib/dpkg/status\n     release a=now\nPinned packages:' },
      'apt-upgrade: the package lists were never fetched',
    ],
    [
      'the lists of one source were never fetched',
      {
        observed: 'refreshed\tdeb.debian.org_debian_dists_bookworm\t1795180000',
        'apt-sources':
          'deb http://deb.debian.org/debian/ bookworm main\ndeb [arch=amd64] https://dl.example.com/linux/ stable main',
      },
      'apt-upgrade: the package lists of https://dl.example.com/linux/ stable were never fetched',
    ],
  ])('if %s', (_what, changes, detail) => {
    const snapshot = debianSnapshot(changes);
    expect(snapshot.upgrades).toEqual([]);
    expect(snapshot.failures.filter(({ section }) => section !== 'origins')).toEqual([
      { section: 'upgradable', detail },
    ]);
  });

  it('fetched but empty lists are not missing', () => {
    const snapshot = debianSnapshot({
      observed: 'refreshed\tdeb.debian.org_debian_dists_bookworm-updates_InRelease\t1795180000',
      'apt-sources':
        'Types: deb\nURIs: http://deb.debian.org/debian\nSuites: bookworm bookworm-updates\nComponents: main',
    });
    expect(snapshot.failures).toEqual([]);
  });

  it('lists of a disabled source or of one on a disk are not missing', () => {
    const snapshot = debianSnapshot({
      observed: 'refreshed\tdeb.debian.org_debian_dists_bookworm\t1795180000',
      'apt-sources': `deb cdrom:[Debian]/ bookworm main\ndeb-src https://a.example.com x main\n\nTypes: deb\nURIs: https://b.example.com\nSuites: y\nEnabled: no\n`,
    });
    expect(snapshot.failures).toEqual([]);
    expect(snapshot.repositories.map(({ url, enabled }) => [url, enabled])).toEqual([
      ['cdrom:[Debian]/', true],
      ['https://b.example.com', false],
    ]);
  });

  it('updates are known without the candidates, only their sources are not', () => {
    const snapshot = debianSnapshot({
      dpkg: installedBash,
      'apt-upgrade': simulation('Inst bash [1.0] (1.2 Debian:12.11/stable [amd64])', 1),
      'apt-candidates': { exit: 124 },
    });
    expect(snapshot.upgrades).toMatchObject([{ sourceName: 'bash', sourceVersion: '1.2' }]);
    expect(failuresOf(snapshot)).toEqual(['candidates: apt-candidates: timed out']);
  });

  it('the new output of apt 3 is read', () => {
    const text =
      'Upgrading:\n  bash\n\nNot upgrading yet due to phasing:\n  tar\n\nSummary:\n  Upgrading: 1, Installing: 0, Removing: 0, Not Upgrading: 1\nInst bash [1.0] (1.2 Debian:13.1/stable [amd64])';
    expect(debianSnapshot({ dpkg: installedBash, 'apt-upgrade': text }).failures).toEqual([]);
  });
});

describe('the repositories of an apt host', () => {
  it('are read from both formats of sources, with data of their Release files, without passwords', () => {
    const { repositories } = debianSnapshot({
      'apt-sources': `deb [signed-by=/usr/share/keyrings/x.gpg arch=amd64] https://user:secret@packages.sury.org/php/ bookworm main
deb https://pkgs.example.com/apt ./

# a comment
Types: deb deb-src
URIs: http://deb.debian.org/debian
Suites: bookworm
 bookworm-updates
Components: main
Signed-By:
 -----BEGIN PGP PUBLIC KEY BLOCK-----
 .
 bookworm: none
 -----END PGP PUBLIC KEY BLOCK-----
`,
    });
    expect(repositories).toEqual([
      {
        id: 'deb.debian.org_debian_dists_bookworm-updates',
        url: 'http://deb.debian.org/debian',
        enabled: true,
        suite: 'bookworm-updates',
        origin: '',
      },
      {
        id: 'deb.debian.org_debian_dists_bookworm_main_binary-amd64',
        url: 'http://deb.debian.org/debian',
        enabled: true,
        suite: 'bookworm',
        origin: 'Debian',
      },
      {
        id: 'packages.sury.org_php_dists_bookworm_main_binary-amd64',
        url: 'https://packages.sury.org/php/',
        enabled: true,
        suite: 'bookworm',
        origin: 'deb.sury.org',
      },
      {
        id: 'pkgs.example.com_apt_.',
        url: 'https://pkgs.example.com/apt',
        enabled: true,
        suite: '',
        origin: 'pkgs.example.com',
      },
    ]);
  });

  it('are unknown if the sources could not be read', () => {
    expect(
      failuresOf(debianSnapshot({ 'apt-sources': { exit: 1, said: 'sed: permission denied' } })),
    ).toEqual(['repositories: apt-sources: exit status 1: sed: permission denied']);
  });
});

describe('Ubuntu Pro', () => {
  const ubuntu = {
    'os-release': 'ID=ubuntu\nVERSION_ID="22.04"\nVERSION="22.04.4 LTS (Jammy Jellyfish)"',
    platform: debian['platform'] ?? '',
  };

  it.each([
    [
      '{"attached": true, "services": [{"name": "esm-apps", "status": "enabled"}, {"name": "esm-infra", "status": "enabled"}, {"name": "fips", "status": "disabled"}, {"name": "livepatch", "status": "warning"}]}',
      { kind: 'ubuntu-pro', attached: true, services: ['esm-apps', 'esm-infra'] },
    ],
    ...[
      ['2020-01-31T00:00:00+00:00', []],
      ['9999-12-31T00:00:00+00:00', ['esm-infra']],
    ].map(([expires, services]): [string, object] => [
      JSON.stringify({ attached: true, expires, services: [{ name: 'esm-infra', status: 'enabled' }] }),
      { kind: 'ubuntu-pro', attached: true, services },
    ]),
    [
      '{"attached": false, "services": [{"available": "yes", "name": "esm-infra"}]}',
      { kind: 'ubuntu-pro', attached: false, services: [] },
    ],
  ])('lists the subscription services of the host', (pro, subscription) => {
    expect(debianSnapshot({ ...ubuntu, pro }).subscription).toEqual(subscription);
  });

  it.each(['{"attached": "yes"}', '[]', '{"attached": tr', ''])('with the output %j is unknown', (pro) => {
    const snapshot = debianSnapshot({ ...ubuntu, pro });
    expect(snapshot.subscription).toBeNull();
    expect(snapshot.failures).toMatchObject([{ section: 'subscription' }]);
  });

  it('missing on a host is not a failure', () => {
    expect(debianSnapshot(ubuntu)).toMatchObject({ subscription: null, failures: [] });
  });
});
