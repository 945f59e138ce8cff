import { assessHost } from '../../src/index.ts';
import { assessed, type DebianHost, installed, offered, statement } from '../debian-host.ts';

type Source = NonNullable<Parameters<typeof installed>[2]>;
const cve = 'CVE-2024-0001';

/** Whether a package is affected by a CVE with source fix `fix`; null: unfixed. */
function isAffected(name: string, version: string, source: Source, fix: string | null): boolean {
  const statements = { [source.name ?? name]: [statement(cve, fix)] };
  return assess({ packages: [installed(name, version, source)], statements }).findings.length > 0;
}

function assess(host: DebianHost) {
  return assessHost(assessed(host));
}

describe('matching rules on Debian with other packages, by case number', () => {
  it.each([
    ['bash', '5.2.15-2+b10', 'bash', '5.2.15-2'],
    ['libbrotli1', '1.0.9-2+b6', 'brotli', '1.0.9-2'],
    ['login', '1:4.13+dfsg1-1+b1', 'shadow', '1:4.13+dfsg1-1'],
    ['librtmp1', '2.4+20151223.gitfa8646d.1-2+b2', 'rtmpdump', '2.4+20151223.gitfa8646d.1-2'],
  ])('5. the rebuild suffix does not matter: %s %s is %s %s', (name, version, source, sourceVersion) => {
    const at = (fix: string) => isAffected(name, version, { name: source, version: sourceVersion }, fix);
    expect(at(sourceVersion)).toBe(false);
    // Above the source's version and below the binary's.
    expect(at(`${sourceVersion}+b0`)).toBe(true);
    expect(at(`${sourceVersion}.1`)).toBe(true);
  });

  it('5. text that only resembles the suffix is part of the version: the source version 2.0+b1-1 keeps its +b1', () => {
    const source = { name: 'tool', version: '2.0+b1-1' };
    expect(isAffected('tool-doc', '2.0+b1-1+b3', source, '2.0+b1-1')).toBe(false);
    expect(isAffected('tool-doc', '2.0+b1-1+b3', source, '2.0+b1-2')).toBe(true);
  });

  it.each([
    ['gcc', '4:12.2.0-3', 'gcc-defaults', '1.203', '1.204'],
    ['dmsetup', '2:1.02.185-2', 'lvm2', '2.03.16-2', '2.03.16-3'],
    ['libdevmapper1.02.1', '2:1.02.185-2', 'lvm2', '2.03.16-2', '2.03.17-1'],
    ['default-jre', '2:1.17-74', 'java-common', '0.74', '0.75'],
  ])('6. %s %s is judged as %s %s', (name, version, source, sourceVersion, fix) => {
    const at = (text: string) => isAffected(name, version, { name: source, version: sourceVersion }, text);
    expect(at(sourceVersion)).toBe(false);
    expect(at(fix)).toBe(true);
  });

  it.each([
    ['bsdutils', '1:2.38.1-5+deb12u3', 'util-linux', '2.38.1-5+deb12u3', '2.38.1-5+deb12u4'],
    ['libbpf1', '1:1.1.0-1', 'libbpf', '1.1.0-1', '1.1.0-2'],
    ['g++', '4:12.2.0-3', 'gcc-defaults', '1.203', '1.209'],
  ])('7. the binary’s epoch does not hide a fix of its source: %s %s', (name, version, source, own, fix) => {
    expect(isAffected(name, version, { name: source, version: own }, fix)).toBe(true);
    expect(isAffected(name, version, { name: source, version: own }, own)).toBe(false);
  });

  it.each([
    [
      'libldb2',
      '2:2.6.2+samba4.17.12+dfsg-0+deb12u1',
      'samba',
      '2:4.17.12+dfsg-0+deb12u1',
      '2:4.17.12+dfsg-0+deb12u2',
    ],
    ['python3-ldb', '2:2.6.2+samba4.17.12+dfsg-0+deb12u1', 'samba', '2:4.17.12+dfsg-0+deb12u1', '2:4.18.0-1'],
    ['libsqlite3-tcl', '3.40.1-2', 'sqlite3', '3.40.1-2', '3.40.1-2+deb12u1'],
  ])(
    '8. the source’s version is compared with the source’s fix: %s %s is %s %s',
    (name, version, source, own, fix) => {
      expect(isAffected(name, version, { name: source, version: own }, fix)).toBe(true);
      expect(isAffected(name, version, { name: source, version: own }, own)).toBe(false);
    },
  );

  it('9. a held package’s fix is shown as held, not as an update to install', () => {
    const packages = [installed('curl', '7.88.1-10', {}, { held: true })];
    const upgrades = [offered('curl', '7.88.1-10', '7.88.1-10+deb12u8', { held: true })];
    const statements = { curl: [statement(cve, '7.88.1-10+deb12u8')] };
    expect(assess({ packages, upgrades, statements }).findings).toMatchObject([
      { name: 'curl', fixState: 'held' },
    ]);
  });

  it('10. a source without a statement is clean, even if a source with a similar name has one', () => {
    const statements = { openssh: [statement(cve, null)], openssl: [statement(cve, null)] };
    const packages = [
      installed('openssh-known-hosts', '0.6.2-1'),
      installed('libssl3', '3.0.11-1', { name: 'openssl1' }),
    ];
    expect(assess({ packages, statements })).toMatchObject({
      findings: [],
      counts: { unknown: 0, unfixed: 0 },
    });
  });

  it.each(['1', '99:99', '1:1.2.13.dfsg-1+deb12u99'])(
    '11. a vulnerability without a fix affects every version, and no offered version closes it: %s',
    (version) => {
      const packages = [installed('zlib1g', version, { name: 'zlib' })];
      const upgrades = [offered('zlib1g', version, '99:999-1', { sourceName: 'zlib' })];
      const statements = { zlib: [statement(cve, null)] };
      expect(assess({ packages, upgrades, statements })).toMatchObject({
        findings: [{ fixed: false, fixState: 'no_fix' }],
        counts: { unfixed: 1 },
      });
    },
  );

  it.each([
    ['1:9.16.27-1~deb11u1~bpo10+1', ''],
    ['1.22.1-9~bpo11+1', ''],
    ['1.22.1-9+bpo12+1', 'bookworm-backports'],
    ['1.22.1-9', 'bookworm-backports-sloppy'],
  ])('12. a backport is unknown: %s from "%s"', (version, suite) => {
    const packages = [installed('nginx', version, {}, { suite })];
    const statements = { nginx: [statement(cve, null), statement(cve, '99')] };
    expect(assess({ packages, statements })).toMatchObject({
      findings: [],
      counts: { unfixed: 0, unknown: 1 },
    });
  });

  it.each(['1.22.1-9+deb12u1', '1.22.1-9~deb12u1'])(
    '12. an update of the release is not a backport: %s',
    (version) => {
      const statements = { nginx: [statement(cve, '1.22.1-9+deb12u2')] };
      expect(assess({ packages: [installed('nginx', version)], statements }).findings).toHaveLength(1);
    },
  );
});
