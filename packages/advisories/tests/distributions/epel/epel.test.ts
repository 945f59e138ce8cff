import type { InstalledPackage, Upgrade } from '@plimsoll/model';
import {
  feedForRelease,
  feedProfile,
  feedsOf,
  filesToSync,
  isAddOnLine,
  matchVersion,
} from '../../../src/index.ts';
import { assessRpm, offer, rpm } from '../../rpm-host.ts';
import { advisoryOf, readRecord, rpmStatements, update, updatePackage } from '../../rpm-records.ts';
import { versionToMatch } from '../../stored-statements.ts';

const epelUpdate = (
  name: string,
  nevras: readonly string[],
  { id = 'FEDORA-EPEL-2025-0a1b2c3d4e', ...rest }: { readonly id?: string } & Record<string, unknown> = {},
) =>
  update(id, [], {
    collections: [
      { name, short: 'EPEL', module: null, packages: nevras.map((nevra) => updatePackage(nevra)) },
    ],
    ...rest,
  });

const epel = (name: string, nevras: readonly string[], rest: Record<string, unknown> = {}) =>
  advisoryOf('epel-updateinfo', epelUpdate(name, nevras, rest));

const fedoras = (nevra: string, rest: Partial<InstalledPackage> = {}) =>
  rpm(nevra, { vendor: 'Fedora Project', ...rest });

const fix = epel('Fedora EPEL 9', ['putty-0.81-1.el9.x86_64', 'putty-0.81-1.el9.aarch64']);

function linesOf(release: string, packages: readonly InstalledPackage[], upgrades: readonly Upgrade[] = []) {
  const { findings, counts } = assessRpm({ release, packages, advisories: [fix], upgrades });
  return {
    findings: findings.map((found) => `${found.name} ${found.fixState}`),
    unknown: counts.unknown,
  };
}

describe('a package of EPEL', () => {
  it.each(['rhel:9', 'almalinux:9', 'rocky:9', 'oracle:9', 'centos:9'])('is found on %s', (release) => {
    expect(linesOf(release, [fedoras('putty-0.80-1.el9.x86_64')])).toEqual({
      findings: ['putty not_in_repositories'],
      unknown: 0,
    });
  });

  it('with the fix, or without an advisory, is unknown, because EPEL lists fixes only', () => {
    const packages = [fedoras('putty-0.81-1.el9.x86_64'), fedoras('htop-3.3.0-1.el9.x86_64')];
    expect(linesOf('rocky:9', packages)).toEqual({ findings: [], unknown: 2 });
  });

  it('of another release is neither affected nor clean', () => {
    const packages = [fedoras('putty-0.70-1.el8.x86_64'), fedoras('putty-0.70-1.fc41.x86_64')];
    expect(linesOf('almalinux:9', packages)).toEqual({ findings: [], unknown: 2 });
    expect(linesOf('almalinux:8', [fedoras('putty-0.70-1.el9.x86_64')])).toEqual({
      findings: [],
      unknown: 1,
    });
  });

  it.each(['PLD', 'Fedora Copr - user someone', 'Remi Collet'])('is not one of vendor %s', (vendor) => {
    expect(linesOf('rocky:9', [rpm('putty-0.80-1.el9.x86_64', { vendor })])).toEqual({
      findings: [],
      unknown: 1,
    });
  });

  it('is not the distribution’s package of the same name, whose versions are others', () => {
    expect(linesOf('rocky:9', [rpm('putty-0.80-1.el9.x86_64', { vendor: 'Rocky' })])).toEqual({
      findings: [],
      unknown: 0,
    });
    const ours = advisoryOf(
      'rocky-updateinfo',
      update('RLSA-2025:1', ['putty-0.82-1.el9.x86_64']),
      'rocky:9',
    );
    const packages = [fedoras('putty-0.81-1.el9.x86_64')];
    expect(assessRpm({ release: 'rocky:9', packages, advisories: [ours] }).findings).toEqual([]);
  });

  it.each([
    ['epel', 'putty installable'],
    ['epel-testing', 'putty installable'],
    ['appstream', 'putty fix_published'],
    ['epelike', 'putty fix_published'],
  ])('has a fix that its host is offered from %s: %s', (repository, line) => {
    const installed = fedoras('putty-0.80-1.el9.x86_64');
    const upgrades = [{ ...offer(installed, '0.81-1.el9'), repository }];
    expect(linesOf('rhel:9', [installed], upgrades).findings).toEqual([line]);
  });

  it('does not fold away where the distribution has a record of the same CVE', () => {
    const [statement] = rpmStatements([fix], 'rhel:9', 'putty');
    if (statement === undefined) throw new Error('no statement');
    const of = (line: string) => versionToMatch('rpm', '0.80-1.el9', { line });
    expect(matchVersion(of('epel'), [statement], () => true)).toEqual([statement]);
    const main = { ...statement, builds: { ...statement.builds, line: null } };
    expect(matchVersion(of(''), [main], () => true)).toEqual([]);
  });
});

describe('builds of EPEL 10 for several minor releases', () => {
  const advisories = [
    epel('Fedora EPEL 10.1', ['nagios-4.5.9-2.el10_1.x86_64']),
    epel('Fedora EPEL 10.0', ['nagios-4.5.9-2.el10_0.x86_64'], { id: 'FEDORA-EPEL-2025-ffffffffff' }),
  ];
  const at = (nevra: string) =>
    assessRpm({ release: 'almalinux:10', packages: [fedoras(nevra)], advisories }).findings.length;

  it('compare without the minor release of their dist tag', () => {
    expect(at('nagios-4.5.9-1.el10_1.x86_64')).toBe(1);
    expect(at('nagios-4.5.9-2.el10_0.x86_64')).toBe(0);
    expect(at('nagios-4.5.9-2.el10_3.x86_64')).toBe(0);
    expect(at('nagios-4.5.8-9.el10_2.x86_64')).toBe(1);
  });
});

describe('the feed of EPEL', () => {
  it('has a statement for every distribution with a release of the number, on the line of EPEL', () => {
    const { packages } = epel('Fedora EPEL 9 Next', ['chromium-130-1.el9.next.x86_64'], { severity: 'None' });
    expect(packages.map(({ release }) => release)).toEqual([
      'rhel:9',
      'almalinux:9',
      'rocky:9',
      'oracle:9',
      'centos:9',
    ]);
    expect(new Set(packages.map(({ builds }) => builds.line))).toEqual(new Set(['epel']));
    expect(packages[0]).toMatchObject({ severity: 'unrated', fix: { version: '130-1.el9.next' } });
    expect(isAddOnLine('epel')).toBe(true);
    expect([null, '', 'fips', 'el9_0'].filter(isAddOnLine)).toEqual([]);
  });

  it.each([
    ['an update of Fedora', 'Fedora 43', 'FEDORA-2025-0a1b2c3d4e', 'putty-0.81-1.fc43.x86_64'],
    ['an update of CentOS', 'CentOS 9', 'CESA-2025:1', 'putty-0.81-1.el9.x86_64'],
    ['a collection without a release', 'Fedora EPEL', 'FEDORA-EPEL-2025-1', 'putty-0.81-1.el9.x86_64'],
  ])('skips %s', (_what, name, id, nevra) => {
    expect(readRecord('epel-updateinfo', epelUpdate(name, [nevra], { id }))).toMatchObject({
      kind: 'skipped',
    });
  });

  it('is the only feed that reads its updates, whatever release an imported file is said to be of', () => {
    const record = update('FEDORA-EPEL-2025-1', [], {
      collections: [
        {
          name: 'Fedora EPEL 9',
          short: 'EL-9',
          module: null,
          packages: [updatePackage('putty-0.81-1.el9.x86_64')],
        },
      ],
    });
    const readers = feedsOf('advisories')
      .filter(({ format }) => format === 'updateinfo')
      .filter(({ id }) =>
        [null, 'rhel:9', 'rocky:9', 'centos:9'].some(
          (release) => readRecord(id, record, release).kind === 'read',
        ),
      );
    expect(readers.map(({ id }) => id)).toEqual(['epel-updateinfo']);
  });

  it('is fetched for every fleet of its distributions, and never covers a release alone', () => {
    const auto = { kind: 'auto' } as const;
    for (const release of ['rhel:8', 'almalinux:9', 'centos:10'])
      expect(filesToSync('epel-updateinfo', auto, [release as never])).toHaveLength(10);
    expect(filesToSync('epel-updateinfo', auto, ['debian:12' as never, 'fedora:43' as never])).toEqual([]);
    expect(feedForRelease('centos:9' as never)?.id).not.toBe('epel-updateinfo');
    expect(feedProfile('epel-updateinfo')?.listsFixes).toBe(false);
  });
});
