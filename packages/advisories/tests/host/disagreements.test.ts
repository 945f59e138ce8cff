import { assessHost, type Disagreement, summarisePackage } from '../../src/index.ts';
import {
  assessed,
  type DebianHost,
  installed,
  kernelImage,
  offered,
  running,
  statement,
} from '../debian-host.ts';
import { countHost } from './count-host.ts';

function disagreements(host: DebianHost): readonly Disagreement[] {
  const subject = assessed(host);
  const { packages, runningKernel, facts } = subject;
  const found = assessHost(subject);
  const counted = countHost({
    packages: packages.map(summarisePackage),
    runningKernel: runningKernel && summarisePackage(runningKernel),
    facts,
  });
  expect(counted.totals.disagreementCount).toBe(found.disagreements.length);
  return found.disagreements;
}

const openssh = installed('openssh-server', '1:9.2-1', { name: 'openssh' });
const source = { sourceName: 'openssh' };
const security = { ...source, isSecurity: true };
const briefly = (found: readonly Disagreement[]) =>
  found.map(({ kind, name, candidateVersion, reason }) => [kind, name, candidateVersion, reason]);

describe('a host whose package manager flags an update as security', () => {
  const upgrades = [
    offered('openssh-server', '1:9.2-1', '1:9.2-3', { ...security, advisoryIds: ['X-2', 'X-1'] }),
  ];

  it('agrees with a finding that the update closes', () => {
    const statements = { openssh: [statement('CVE-2024-0001', '1:9.2-3')] };
    expect(disagreements({ packages: [openssh], upgrades, statements })).toEqual([]);
  });

  it('agrees with a finding that the vendor calls negligible', () => {
    const statements = { openssh: [statement('CVE-2024-0001', '1:9.2-3', { severity: 'none' })] };
    expect(disagreements({ packages: [openssh], upgrades, statements })).toEqual([]);
  });

  it.each([
    ['no advisory', []],
    ['an advisory without a fix', [statement('CVE-2024-0001', null)]],
    ['an advisory whose fix the update does not reach', [statement('CVE-2024-0001', '1:9.2-4')]],
    ['an advisory that the installed version has the fix of', [statement('CVE-2024-0001', '1:9.2-1')]],
  ])('disagrees if there is %s, with both views', (_, openssh_) => {
    expect(disagreements({ packages: [openssh], upgrades, statements: { openssh: openssh_ } })).toEqual([
      {
        kind: 'security_update_without_finding',
        name: 'openssh-server',
        architecture: 'amd64',
        installedVersion: '1:9.2-1',
        candidateVersion: '1:9.2-3',
        repository: 'Debian-Security:12/oldstable-security',
        namedAdvisories: ['X-1', 'X-2'],
        reason: 'not_affected',
      },
    ]);
  });

  it('disagrees if the package has no verdict, with that reason', () => {
    const foreign = installed('openssh-server', '1:9.2-1', { name: 'openssh' }, { vendor: 'Docker' });
    expect(briefly(disagreements({ packages: [foreign], upgrades }))).toEqual([
      ['security_update_without_finding', 'openssh-server', '1:9.2-3', 'no_verdict'],
    ]);
  });

  it('disagrees if the update cannot be compared, with that reason', () => {
    const other = [offered('openssh-server', '1:9.2-1', '1:9.2-3', { ...security, origin: 'Docker' })];
    const statements = { openssh: [statement('CVE-2024-0001', '1:9.2-3')] };
    expect(briefly(disagreements({ packages: [openssh], upgrades: other, statements }))).toEqual([
      ['security_update_without_finding', 'openssh-server', '1:9.2-3', 'candidate_not_comparable'],
    ]);
  });

  it('never disagrees on kernel companions and packages to be newly installed', () => {
    const companion = installed('linux-libc-dev', '6.1.1-1', { name: 'linux' });
    const others = [
      offered('linux-libc-dev', '6.1.1-1', '6.1.2-1', { isSecurity: true, sourceName: 'linux' }),
      offered('openssh-client', '', '1:9.2-3', security),
    ];
    expect(disagreements({ packages: [companion, openssh], upgrades: others })).toEqual([]);
  });
});

describe('a host with an installable finding', () => {
  const statements = { openssh: [statement('CVE-2024-0001', '1:9.2-3')] };
  const plain = offered('openssh-server', '1:9.2-1', '1:9.2-3', source);

  it('disagrees if the package manager flags no closing update as security', () => {
    expect(briefly(disagreements({ packages: [openssh], upgrades: [plain], statements }))).toEqual([
      ['finding_without_security_update', 'openssh-server', '1:9.2-3', 'affected'],
    ]);
  });

  it('agrees if one of several updates is flagged', () => {
    const flagged = offered('openssh-server', '1:9.2-1', '1:9.2-4', security);
    expect(disagreements({ packages: [openssh], upgrades: [plain, flagged], statements })).toEqual([]);
  });

  it.each([
    ['held', { held: true }],
    ['phased', { phased: true }],
  ])('does not disagree if the update is %s', (_, rest) => {
    const upgrades = [{ ...plain, ...rest }];
    expect(disagreements({ packages: [openssh], upgrades, statements })).toEqual([]);
  });
});

describe('a running kernel', () => {
  const packages = [kernelImage('6.1.0-28-amd64', '6.1.119-1'), kernelImage('6.1.0-27-amd64', '6.1.115-1')];
  const host = {
    packages,
    kernel: running('6.1.0-28-amd64', '6.1.119-1'),
    statements: { linux: [statement('CVE-2024-0001', '6.1.123-1')] },
  };
  const next = {
    name: 'linux-image-6.1.0-29-amd64',
    sourceName: 'linux-signed-amd64',
    sourceVersion: '6.1.123+1',
  };

  it.each([
    [true, []],
    [false, [['finding_without_security_update', 'linux-image-6.1.0-28-amd64', '6.1.123-1', 'affected']]],
  ])('is closed by a security update of a kernel with another name: %s', (isSecurity, expected) => {
    const upgrades = [offered(next.name, '', '6.1.123-1', { ...next, isSecurity })];
    expect(briefly(disagreements({ ...host, upgrades }))).toEqual(expected);
  });
});
