import type { Statement } from '@plimsoll/model';
import { assessHost, selectFindings } from '../../src/index.ts';
import { assessed, type DebianHost, installed, offered, statement } from '../debian-host.ts';

const curl = installed('curl', '7.88.1-10');

function findingsOf(statements: readonly Statement[], rest: Partial<DebianHost> = {}) {
  return assessHost(assessed({ packages: [curl], statements: { curl: statements }, ...rest }));
}

describe('a finding', () => {
  it('has the worst severity among advisories with a fix, even if one without is worse', () => {
    const statements = [
      statement('CVE-2024-0001', null, { severity: 'critical' }),
      statement('CVE-2024-0002', '7.88.1-11', { severity: 'low' }),
      statement('CVE-2024-0003', '7.88.1-12', { severity: 'moderate' }),
    ];
    const { findings, counts } = findingsOf(statements);
    expect(findings).toMatchObject([{ severity: 'moderate', fixed: true, fixedVersion: '7.88.1-12' }]);
    expect(counts).toMatchObject({ critical: 0, moderate: 1, low: 0, unfixed: 0, unfixedCritical: 1 });
  });

  it('without any fix is unfixed, with the worst severity of all', () => {
    const statements = [
      statement('CVE-2024-0001', null, { severity: 'low' }),
      statement('CVE-2024-0002', null, { severity: 'important' }),
    ];
    expect(findingsOf(statements)).toMatchObject({
      findings: [{ severity: 'important', fixed: false, fixedVersion: null, fixState: 'no_fix' }],
      counts: { important: 0, unfixed: 1, unfixedImportant: 1, unfixedLow: 0 },
    });
  });

  it('is not made worse, fixed or more urgent by an advisory that the vendor calls negligible', () => {
    const statements = [
      statement('CVE-2024-0001', null, { severity: 'low' }),
      statement('CVE-2024-0002', '7.88.1-11', { severity: 'none', knownExploited: true }),
    ];
    const upgrades = [offered('curl', '7.88.1-10', '7.88.1-11')];
    const { findings, counts, grounds } = findingsOf(statements, { upgrades });
    expect(findings).toMatchObject([
      { severity: 'low', fixed: false, fixState: 'no_fix', knownExploited: false },
    ]);
    expect(counts).toMatchObject({ unfixed: 1, knownExploited: 0 });
    expect(grounds).toEqual(['open_finding', 'update_waiting']);
  });

  it('of only negligible advisories is hidden and not counted', () => {
    const upgrades = [offered('curl', '7.88.1-10', '7.88.1-11')];
    const { findings, counts, grounds } = findingsOf(
      [statement('CVE-2024-0001', '7.88.1-11', { severity: 'none' })],
      { upgrades },
    );
    expect(findings).toMatchObject([{ severity: 'none', fixed: true, fixState: 'installable' }]);
    expect(Object.values(counts).every((count) => count === 0)).toBe(true);
    expect(grounds).toEqual(['update_waiting']);
  });

  it('lists its advisories with the worst first, exploited ones before others, then by id', () => {
    const statements = [
      statement('CVE-2024-0004', null, { severity: 'low' }),
      statement('CVE-2024-0003', null, { severity: 'important' }),
      statement('CVE-2024-0002', null, { severity: 'important' }),
      statement('CVE-2024-0009', null, { severity: 'important', knownExploited: true }),
    ];
    const [finding] = findingsOf(statements).findings;
    expect(finding?.knownExploited).toBe(true);
    expect(finding?.advisories.map(({ statement: { externalId } }) => externalId)).toEqual([
      'CVE-2024-0009',
      'CVE-2024-0002',
      'CVE-2024-0003',
      'CVE-2024-0004',
    ]);
  });
});

describe('findings', () => {
  it('are sorted: the worst first, then known exploited, then by name and architecture', () => {
    const packages = [
      installed('b', '1'),
      installed('a', '1', {}, { architecture: 'i386' }),
      installed('a', '1'),
      installed('c', '1'),
      installed('d', '1'),
    ];
    const statements = {
      a: [statement('CVE-2024-0001', null, { severity: 'low' })],
      b: [statement('CVE-2024-0001', null, { severity: 'low' })],
      c: [statement('CVE-2024-0002', '2', { severity: 'low', knownExploited: true })],
      d: [statement('CVE-2024-0003', null, { severity: 'critical' })],
    };
    const names = (host: DebianHost) =>
      assessHost(assessed(host)).findings.map(({ name, architecture }) => `${name}:${architecture}`);
    expect(names({ packages, statements })).toEqual(['d:amd64', 'c:amd64', 'a:amd64', 'a:i386', 'b:amd64']);
    expect(names({ packages: [...packages].reverse(), statements })).toEqual(names({ packages, statements }));
  });
});

describe('selectFindings', () => {
  const packages = [
    installed('fixed', '1'),
    installed('open', '1'),
    installed('hidden', '1'),
    installed('hidden-open', '1'),
  ];
  const statements = {
    fixed: [statement('CVE-2024-0001', '2'), statement('CVE-2024-0002', '3', { severity: 'none' })],
    open: [statement('CVE-2024-0003', null)],
    hidden: [statement('CVE-2024-0004', '2', { severity: 'none' })],
    'hidden-open': [statement('CVE-2024-0005', null, { severity: 'none' })],
  };
  const { findings } = assessHost(assessed({ packages, statements }));
  const names = (includeUnfixed: boolean, includeHidden: boolean) =>
    selectFindings(findings, { includeUnfixed, includeHidden }).map(({ name }) => name);

  it('lists fixed and visible findings by default', () => {
    expect(names(false, false)).toEqual(['fixed']);
    expect(names(true, false)).toEqual(['fixed', 'open']);
    expect(names(false, true)).toEqual(['fixed', 'hidden']);
    expect(names(true, true)).toEqual(['fixed', 'open', 'hidden', 'hidden-open']);
  });

  it('lists hidden advisories only on request, with the version that closes them', () => {
    const [visible] = selectFindings(findings, { includeUnfixed: false, includeHidden: false });
    expect(visible).toMatchObject({ fixedVersion: '2', advisories: [{}] });
    const [whole] = selectFindings(findings, { includeUnfixed: false, includeHidden: true });
    expect(whole).toMatchObject({ fixedVersion: '3', severity: 'moderate', advisories: [{}, {}] });
  });
});

describe('evidence', () => {
  const codes = (host: DebianHost) =>
    assessHost(assessed(host)).findings.map(({ evidence }) => evidence.notes.map(({ code }) => code));

  it('names release, comparator, and the compared versions', () => {
    const libcurl = installed('libcurl4', '7.88.1-10+b2', { name: 'curl', version: '7.88.1-10' });
    const { findings } = findingsOf([statement('CVE-2024-0001', '7.88.1-11')], { packages: [libcurl] });
    expect(findings[0]?.evidence).toEqual({
      release: 'debian:12',
      comparator: 'dpkg',
      matchName: 'curl',
      comparedVersion: '7.88.1-10',
      notes: [{ code: 'source_compared', detail: 'libcurl4 7.88.1-10+b2 is curl 7.88.1-10' }],
    });
  });

  it('shows that the origin is unknown', () => {
    const unknown = { ...curl, vendor: '' };
    expect(codes({ packages: [unknown], statements: { curl: [statement('CVE-2024-0001', null)] } })).toEqual([
      ['origin_not_stated'],
    ]);
  });

  it('names the errata for its CVEs', () => {
    const host = assessed({ packages: [curl], statements: { curl: [statement('CVE-2024-0001', '8')] } });
    const folded = [
      statement('DSA-1-1', '8', { kind: 'erratum', cves: ['CVE-2024-0001'] }),
      statement('DSA-2-1', '8', { kind: 'erratum', cves: ['CVE-2024-0009'] }),
    ];
    const { findings } = assessHost({
      ...host,
      packages: host.packages.map((subject) => ({ ...subject, folded })),
    });
    expect(findings[0]?.evidence.notes).toEqual([{ code: 'erratum_folded', detail: 'DSA-1-1' }]);
  });

  it('names skipped kernels that do not run', () => {
    const source = { name: 'linux' };
    const kernel = { runningRelease: '6.1.0-2-amd64', runningVersion: 'Debian 2' };
    const packages = ['1', '2'].map((n) => installed(`linux-image-6.1.0-${n}-amd64`, n, source));
    const host = assessed({ packages, statements: { linux: [statement('CVE-2024-0001', '9')] } });
    const facts = { ...host.facts, kernel: { ...host.facts.kernel, ...kernel } };
    expect(assessHost({ ...host, facts }).findings[0]?.evidence.notes).toContainEqual({
      code: 'kernels_not_running',
      detail: 'linux-image-6.1.0-1-amd64',
    });
  });
});

it('lists hidden advisories only in consistent rows', () => {
  const statements = {
    'node-semver': [
      statement('CVE-2022-25883', null, { severity: 'important' }),
      statement('CVE-2015-8855', '5.3.0-1', { severity: 'none' }),
    ],
  };
  const packages = [installed('node-semver', '5.3.0-1~')];
  const { findings, counts } = assessHost(assessed({ packages, statements }));
  const list = (includeHidden: boolean) => selectFindings(findings, { includeUnfixed: true, includeHidden });
  expect(list(false)).toMatchObject([{ severity: 'important', fixedVersion: null, fixState: 'no_fix' }]);
  expect(list(true)).toMatchObject([
    { severity: 'important', fixedVersion: '5.3.0-1', fixState: 'not_in_repositories' },
  ]);
  expect(counts).toMatchObject({ important: 0, unfixed: 1 });
});
