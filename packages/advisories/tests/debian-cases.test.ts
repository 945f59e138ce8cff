import { assessHost, selectFindings } from '../src/index.ts';
import { assessed, type bookworm, type DebianHost, installed, offered, statement } from './debian-host.ts';
import { debianAdvisory } from './debian-records.ts';

/** `CVE package` for every advisory of every finding, including hidden and unfixed ones. */
function lines(host: DebianHost): readonly string[] {
  const { findings } = assessHost(assessed(host));
  return selectFindings(findings, { includeUnfixed: true, includeHidden: true }).flatMap(
    ({ name, advisories }) => advisories.map(({ statement: { externalId } }) => `${externalId} ${name}`),
  );
}

const records = [
  'CVE-2024-6387',
  'CVE-2023-45853',
  'CVE-2016-1255',
  'CVE-2024-28085',
  'CVE-2016-2118',
  'DSA-5724-1',
].map(debianAdvisory);
const affected = (...packages: DebianHost['packages']) => lines({ packages, advisories: records });

describe('matching rules, by case number', () => {
  it('5. the rebuild suffix of a binary package does not matter: bash 5.2.15-2+b8 is source 5.2.15-2', () => {
    const bash = installed('bash', '5.2.15-2+b8', { version: '5.2.15-2' });
    const unsaid = installed('bash', '5.2.15-2+b8');
    for (const fixedVersion of ['5.2.15-2', '5.2.15-1+deb12u1']) {
      const statements = { bash: [statement('CVE-2024-0001', fixedVersion)] };
      expect(lines({ packages: [bash], statements })).toEqual([]);
    }
    // Below 5.2.15-2+b8, above 5.2.15-2.
    const statements = { bash: [statement('CVE-2024-0001', '5.2.15-2+a1')] };
    expect(lines({ packages: [bash], statements })).toEqual(['CVE-2024-0001 bash']);
    expect(lines({ packages: [unsaid], statements })).toEqual(['CVE-2024-0001 bash']);
  });

  it('6. a differing source version counts: postgresql 15+248+deb12u1 is postgresql-common 248+deb12u1', () => {
    const source = { name: 'postgresql-common', version: '248+deb12u1' };
    expect(affected(installed('postgresql', '15+248+deb12u1', source))).toEqual([]);
    const old = { name: 'postgresql-common', version: '177' };
    expect(affected(installed('postgresql', '9.6+177', old))).toEqual(['CVE-2016-1255 postgresql']);
  });

  it('7. an epoch of only the binary hides no fix: bsdutils 1:2.38.1-… is util-linux 2.38.1-…', () => {
    const before = { name: 'util-linux', version: '2.38.1-5+b1' };
    expect(affected(installed('bsdutils', '1:2.38.1-5+b1', before))).toEqual(['CVE-2024-28085 bsdutils']);
    const after = { name: 'util-linux', version: '2.38.1-5+deb12u1' };
    expect(affected(installed('bsdutils', '1:2.38.1-5+deb12u1', after))).toEqual([]);
  });

  it('8. libldb2 2:2.6.2+samba4.17.12… is samba 2:4.17.12…, past the fix in 2:4.3.7', () => {
    const source = { name: 'samba', version: '2:4.17.12+dfsg-0+deb12u1' };
    expect(affected(installed('libldb2', '2:2.6.2+samba4.17.12+dfsg-0+deb12u1', source))).toEqual([]);
  });

  it('9. a held package is installed, and judged like any other', () => {
    const openssh = { name: 'openssh' };
    const held = installed('openssh-server', '1:9.2p1-2+deb12u2', openssh, { held: true });
    expect(affected(held)).toEqual(['CVE-2024-6387 openssh-server']);
  });

  it('10. CVE-2024-6387 is fixed in bookworm’s 1:9.2p1-2+deb12u3, and bullseye is clean because it is not listed', () => {
    const openssh = (version: string) => installed('openssh-server', version, { name: 'openssh' });
    expect(affected(openssh('1:9.2p1-2+deb12u2'))).toEqual(['CVE-2024-6387 openssh-server']);
    expect(affected(openssh('1:9.2p1-2+deb12u3'))).toEqual([]);
    const bullseye = 'debian:11' as typeof bookworm;
    const packages = [openssh('1:8.4p1-5+deb11u3')];
    expect(lines({ packages, advisories: records, release: bullseye })).toEqual([]);
  });

  it('11. zlib of bookworm is affected by CVE-2023-45853, unfixed, and never offered as an update', () => {
    const packages = [installed('zlib1g', '1:1.2.13.dfsg-1', { name: 'zlib' })];
    const upgrades = [offered('zlib1g', '1:1.2.13.dfsg-1', '1:1.2.13.dfsg-2', { sourceName: 'zlib' })];
    const { findings, counts } = assessHost(assessed({ packages, upgrades, advisories: records }));
    expect(findings).toMatchObject([
      { name: 'zlib1g', severity: 'critical', fixed: false, fixedVersion: null, fixState: 'no_fix' },
    ]);
    expect(counts).toMatchObject({ critical: 0, unfixed: 1 });
    expect(selectFindings(findings, { includeUnfixed: false, includeHidden: true })).toEqual([]);
  });

  it.each([
    installed('zlib1g', '1:1.3.1-1~bpo12+1', { name: 'zlib' }),
    installed('zlib1g', '1:1.2.13.dfsg-1', { name: 'zlib' }, { suite: 'bookworm-backports' }),
  ])('12. a backport is unknown, not affected: $version from "$suite"', (backport) => {
    const { findings, counts } = assessHost(assessed({ packages: [backport], advisories: records }));
    expect(findings).toEqual([]);
    expect(counts).toMatchObject({ unfixed: 0, unknown: 1 });
  });

  it('an erratum and the record of its CVE count as one piece of evidence', () => {
    const packages = [installed('openssh-server', '1:9.2p1-2', { name: 'openssh' })];
    expect(lines({ packages, advisories: records })).toEqual(['CVE-2024-6387 openssh-server']);
    expect(lines({ packages, advisories: [debianAdvisory('DSA-5724-1')] })).toEqual([
      'DSA-5724-1 openssh-server',
    ]);
    const curl = [installed('curl', '7.88.1-10')];
    expect(lines({ packages: curl, advisories: [debianAdvisory('DSA-5460-1')] })).toEqual([
      'DSA-5460-1 curl',
    ]);
  });

  it('a third party’s package is unknown, neither affected nor clean', () => {
    const packages = [installed('zlib1g', '1:1.2.13.dfsg-1', { name: 'zlib' }, { vendor: 'Somebody' })];
    const { findings, counts } = assessHost(assessed({ packages, advisories: records }));
    expect(findings).toEqual([]);
    expect(counts.unknown).toBe(1);
  });
});
