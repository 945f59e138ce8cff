import { debian, debianSnapshot, failuresOf, type Sections } from './report-builder.ts';

const main = 'http://deb.debian.org/debian bookworm/main amd64 Packages';
const security = 'http://security.debian.org/debian-security bookworm-security/main amd64 Packages';
const sury = 'https://packages.sury.org/php bookworm/main amd64 Packages';
const flat = 'https://pkgs.example.com/apt ./ Packages';
const status = '/var/lib/dpkg/status';

/** One package as apt-cache policy prints it: `versions` from the newest, each with its package files. */
function policy(
  name: string,
  installed: string,
  candidate: string,
  versions: Record<string, readonly string[]>,
) {
  const table = Object.entries(versions).flatMap(([version, files]) => [
    `${version === installed ? ' *** ' : '     '}${version} 500`,
    ...files.map((file) => `        500 ${file}`),
  ]);
  return [
    `${name}:`,
    `  Installed: ${installed}`,
    `  Candidate: ${candidate}`,
    '  Version table:',
    ...table,
  ].join('\n');
}

function dpkg(...rows: readonly string[]): string {
  return rows.map((row) => row.split(' ').join('\t').replace('_', ' ')).join('\n');
}

function packages(changes: Sections) {
  return debianSnapshot(changes).packages;
}

describe('a package that dpkg lists', () => {
  it.each([
    ['ii ', true, false],
    ['hi ', true, true],
    ['iU ', true, false],
    ['iF ', true, false],
    ['iW ', true, false],
    ['it ', true, false],
    ['iHR', true, false],
    ['ri ', true, false],
    ['rc ', false, false],
    ['un ', false, false],
    ['pn ', false, false],
    ['hc ', false, false],
    // dpkg before 1.16.2, and a collector before 0.4.0 with it.
    ['hold ok installed', true, true],
    ['install reinstreq half-installed', true, false],
    ['deinstall ok config-files', false, false],
    ['', true, false],
  ])('with status %j is installed: %s, held: %s', (abbreviation, installed, held) => {
    const text = `${debian['dpkg']}\n${abbreviation}\ttar\tamd64\t1.34\ttar\t1.34`;
    const tar = packages({ dpkg: text }).find(({ name }) => name === 'tar');
    expect(tar === undefined ? [false, false] : [true, tar.held]).toEqual([installed, held]);
  });

  it('has the source and the state that dpkg before 1.16.2 states', () => {
    const rows = (status: string) =>
      debianSnapshot({ dpkg: `${status}\tlibc6\tamd64\t2.15-0\teglibc (2.15-1)\t\t2.14` });
    expect(rows('install reinstreq unpacked')).toMatchObject({
      packages: [{ sourceName: 'eglibc', sourceVersion: '2.15-1' }],
      broken: [{ name: 'libc6', state: 'half_installed', otherVersion: '2.14' }],
    });
    expect(failuresOf(rows(''))).toContainEqual(expect.stringMatching(/^packages: dpkg: .* are removed$/));
  });

  it('is one package for each architecture', () => {
    const text = dpkg('ii_ libc6 amd64 2.36-9 glibc 2.36-9', 'ii_ libc6 i386 2.36-8 glibc 2.36-8');
    const policies = [
      policy('libc6', '2.36-9', '2.36-9', { '2.36-9': [main] }),
      policy('libc6:i386', '2.36-8', '2.36-8', { '2.36-8': [sury] }),
    ].join('\n');
    expect(packages({ dpkg: text, 'apt-policy': policies })).toMatchObject([
      { architecture: 'amd64', version: '2.36-9', vendor: 'Debian' },
      { architecture: 'i386', version: '2.36-8', vendor: 'deb.sury.org' },
    ]);
  });

  it('keeps the source version, which is compared with advisories', () => {
    const text = dpkg('ii_ bsdutils amd64 1:2.38.1-5+b1 util-linux 2.38.1-5');
    expect(packages({ dpkg: text })).toMatchObject([
      { version: '1:2.38.1-5+b1', sourceName: 'util-linux', sourceVersion: '2.38.1-5' },
    ]);
  });
});

describe('the origin of an installed apt package', () => {
  function origin(policies: string, version = '2.0', name = 'php') {
    const text = dpkg(`ii_ ${name} amd64 ${version} php ${version}`);
    const [first] = packages({ dpkg: text, 'apt-policy': policies });
    return [first?.vendor, first?.suite];
  }

  it.each<[string, string, Record<string, readonly string[]>, readonly [string, string]]>([
    [
      'of the repository that still offers it',
      '2.0',
      { '2.0': [sury, status] },
      ['deb.sury.org', 'bookworm'],
    ],
    [
      'with the codename, not the archive name, which changes',
      '2.0',
      { '2.0': [security, status] },
      ['Debian', 'bookworm-security'],
    ],
    [
      'the distribution, if it is among several',
      '2.0',
      { '2.0': [flat, main, status] },
      ['Debian', 'bookworm'],
    ],
    [
      'of the candidate if no repository offers it any longer, without a suite',
      '2.1',
      { '2.1': [sury], '2.0': [status] },
      ['deb.sury.org', ''],
    ],
    [
      'third-party if only third parties offer the name',
      '2.0',
      { '2.0': [status], '1.9': [sury] },
      ['deb.sury.org', ''],
    ],
    [
      'no repository if all of them have older versions',
      '2.0',
      { '2.0': [status], '1.9': [sury], '1.8': [main] },
      ['', 'now'],
    ],
    ['no repository if none offers the name', '2.0', { '2.0': [status] }, ['', 'now']],
    [
      'unknown if a newer version may have superseded it',
      '2.0',
      { '2.1': [main], '2.0': [status] },
      ['', ''],
    ],
    [
      'the server of a repository without an Origin',
      '2.0',
      { '2.0': [flat, status] },
      ['pkgs.example.com', ''],
    ],
  ])('is %s', (_what, candidate, versions, expected) => {
    expect(origin(policy('php', '2.0', candidate, versions))).toEqual(expected);
  });

  it('is unknown if not all lists were read', () => {
    const unread = 'deb http://deb.debian.org/debian bookworm main\ndeb https://other.example.com x main';
    const dpkgText = dpkg('ii_ php amd64 2.0 php 2.0');
    const policies = policy('php', '2.0', '2.0', { '2.0': [status] });
    for (const sources of [unread, null]) {
      const sections = { dpkg: dpkgText, 'apt-policy': policies, 'apt-sources': sources };
      expect(packages(sections)).toMatchObject([{ vendor: '', suite: '' }]);
    }
  });

  it('is the archive on Ubuntu, where only the archive names the pocket', () => {
    const files = `Package files:
 500 http://archive.ubuntu.com/ubuntu jammy-security/main amd64 Packages
     release v=22.04,o=Ubuntu,a=jammy-security,n=jammy,l=Ubuntu,c=main,b=amd64
     origin archive.ubuntu.com`;
    const versions = { '2.0': ['http://archive.ubuntu.com/ubuntu jammy-security/main amd64 Packages'] };
    const [first] = packages({
      'os-release': 'ID=ubuntu\nVERSION_ID="22.04"\nVERSION="22.04.4 LTS (Jammy Jellyfish)"',
      dpkg: dpkg('ii_ php amd64 2.0 php 2.0'),
      'apt-files': files,
      'apt-policy': policy('php', '2.0', '2.0', versions),
    });
    expect(first).toMatchObject({ vendor: 'Ubuntu', suite: 'jammy-security' });
  });

  it('is unknown if apt and dpkg report different versions', () => {
    expect(origin(policy('php', '2.0', '2.0', { '2.0': [sury] }), '2.1')).toEqual(['', '']);
  });

  it('of a package for all architectures is found under its name without architecture', () => {
    const [first] = packages({
      dpkg: dpkg('ii_ tzdata all 2024a tzdata 2024a'),
      'apt-policy': policy('tzdata', '2024a', '2024a', { '2024a': [main] }),
    });
    expect(first?.vendor).toBe('Debian');
  });

  it('is unknown, with a failure, if apt’s output is in another language', () => {
    const german = `bash:\n  Installiert:           5.2.15-2+b8\n  Installationskandidat: 5.2.15-2+b8\n  Versionstabelle:\n *** 5.2.15-2+b8 500\n        500 ${main}`;
    const snapshot = debianSnapshot({ 'apt-policy': german });
    expect(snapshot.packages[0]?.vendor).toBe('');
    expect(failuresOf(snapshot)).toEqual(['origins: apt-policy: 3 of its lines were not understood']);
  });

  it('is unknown, with a failure, if apt-cache failed', () => {
    const failed = { exit: 100, said: 'E: The package lists or status file could not be parsed or opened.' };
    const snapshot = debianSnapshot({ 'apt-policy': failed, 'apt-files': { exit: 127 } });
    expect(snapshot.packages[0]).toMatchObject({ name: 'bash', vendor: '', suite: '' });
    expect(failuresOf(snapshot)).toEqual([
      'origins: apt-files: there is no such command',
      'origins: apt-policy: exit status 100: E: The package lists or status file could not be parsed or opened.',
    ]);
  });
});
