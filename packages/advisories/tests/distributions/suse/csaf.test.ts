import type { Release } from '@plimsoll/model';
import { feedForRelease, feedProfile } from '../../../src/index.ts';
import { assessRpm, rpm } from '../../rpm-host.ts';
import { advisoryOf, readRecord, rpmStatements, sample } from '../../rpm-records.ts';
import { csafAdvisory } from './csaf-document.ts';

const build = 'bash-5.1-150600.3.2.1.x86_64';

describe("SUSE's advisories as CSAF", () => {
  it('are read with their builds by architecture and the rating of SUSE', () => {
    const advisory = advisoryOf('suse-csaf', sample('suse/SUSE-SU-2015-0011-2.csaf.json'));
    expect(advisory).toMatchObject({
      externalId: 'SUSE-SU-2015:0011-2',
      kind: 'erratum',
      title: 'Security update for bind',
      url: 'https://www.suse.com/support/update/announcement/?id=SUSE-SU-2015%3A0011-2',
      modifiedAt: new Date('2014-01-27T18:38:10Z'),
      cves: ['CVE-2012-1667', 'CVE-2012-3817'],
    });
    expect(advisory.packages).toEqual(
      [
        ['bind', '9.9.4P2-0.6.1', ['i586', 'x86_64']],
        ['bind-devel', '9.9.6P1-0.5.5', ['i586']],
        ['bind-libs-32bit', '9.9.4P2-0.6.1', ['x86_64']],
      ].map(([name, version, architectures]) => ({
        release: 'suse:11.2',
        name,
        severity: 'moderate',
        severitySource: 'vendor',
        fix: { kind: 'fixed', version, service: null },
        builds: { architectures, module: '', line: null },
      })),
    );
  });

  it.each([
    ['SUSE Linux Enterprise Module for Basesystem 15 SP6', ['suse:15.6'], null, null],
    ['SUSE Linux Enterprise Module for Python 3 15 SP5', ['suse:15.5'], null, null],
    ['SUSE Linux Enterprise Server 12 SP5-LTSS', ['suse:12.5'], 'ltss', null],
    ['SUSE Linux Enterprise Server 11 SP4 LTSS', ['suse:11.4'], 'ltss', null],
    ['SUSE Linux Enterprise Server 15 SP2-BCL', ['suse:15.2'], 'ltss', null],
    ['SUSE Linux Enterprise Server LTSS Extended Security 12 SP5', ['suse:12.5'], 'ltss', null],
    ['SUSE Linux Enterprise Server 16.0', ['suse:16.0'], null, null],
    ['SUSE Linux Micro 6.1', ['suse:6.1'], null, null],
    ['openSUSE Leap 16.0', ['opensuse:16.0'], null, null],
    ['openSUSE Tumbleweed', ['opensuse:tumbleweed'], null, null],
    ['SUSE Package Hub 15 SP6', ['suse:15.6'], null, 'package-hub'],
    [
      'SUSE Linux Enterprise Module for Web and Scripting 12',
      ['suse:12', 'suse:12.1', 'suse:12.2', 'suse:12.3', 'suse:12.4', 'suse:12.5'],
      null,
      null,
    ],
  ])('of %s are for %j', (product, releases, service, line) => {
    const { packages } = advisoryOf('suse-csaf', csafAdvisory({ products: [`${product}:${build}`] }));
    expect(packages.map(({ release }) => release)).toEqual(releases);
    for (const each of packages) expect(each).toMatchObject({ fix: { service }, builds: { line } });
  });

  it('of other products have no items', () => {
    for (const product of [
      'SUSE Manager Server 4.3',
      'Container suse/sle15',
      `SUSE Linux ${'x '.repeat(99)}15 SP6`,
    ])
      expect(readRecord('suse-csaf', csafAdvisory({ products: [`${product}:${build}`] }))).toMatchObject({
        kind: 'read',
        items: [],
      });
  });

  it('need no subscription where one of several products is without it', () => {
    const products = [
      `SUSE Linux Enterprise Server 15 SP6-LTSS:${build}`,
      `SUSE Linux Enterprise Server 15 SP6-LTSS:bash-5.1-150600.3.2.1.s390x`,
      `SUSE Linux Enterprise Module for Basesystem 15 SP6:${build}`,
    ];
    const { packages } = advisoryOf('suse-csaf', csafAdvisory({ products }));
    expect(packages.map(({ fix, builds }) => [fix, builds.architectures])).toEqual([
      [{ kind: 'fixed', version: '5.1-150600.3.2.1', service: 'ltss' }, ['s390x']],
      [{ kind: 'fixed', version: '5.1-150600.3.2.1', service: null }, ['x86_64']],
    ]);
  });

  it('without a rating have the worst of their vulnerabilities', () => {
    const said = { products: [`openSUSE Leap 15.6:${build}`], cves: ['CVE-2026-0001', 'CVE-2026-0002'] };
    const rated = (severity: string | null, impact: string) =>
      advisoryOf('suse-csaf', csafAdvisory({ ...said, severity, impact })).packages[0];
    expect(rated('important', 'low')).toMatchObject({ severity: 'important', severitySource: 'vendor' });
    expect(rated(null, 'critical')).toMatchObject({ severity: 'critical', severitySource: 'vendor' });
    expect(rated(null, 'no word of ours')).toMatchObject({ severity: 'unrated', severitySource: 'none' });
  });

  it.each([
    [{ ...csafAdvisory({ products: [] }), document: 7 }, 'not_an_advisory'],
    [csafAdvisory({ products: [], id: 'SUSE-SU-403 Forbidden-1' }), 'invalid_id'],
    [csafAdvisory({ products: [], id: 'RHSA-2026:1' }), 'unknown_id_form'],
    [csafAdvisory({ products: ['openSUSE Leap 15.6:no-version'] }), 'no_usable_package'],
    [csafAdvisory({ products: ['openSUSE Leap 15.6:../x-1-1.x86_64'] }), 'no_usable_package'],
    [[], 'not_an_object'],
  ])('%# that are broken are rejected', (record, reason) => {
    expect(readRecord('suse-csaf', record)).toMatchObject({ kind: 'rejected', reason });
  });

  it('note an unreadable build beside a readable one', () => {
    const products = [`openSUSE Leap 15.6:${build}`, 'openSUSE Leap 15.6:odd'];
    expect(readRecord('suse-csaf', csafAdvisory({ products }))).toMatchObject({
      kind: 'read',
      items: [{ isIncomplete: true }],
      issues: [{ pointer: '/product_tree (openSUSE Leap 15.6:odd)', reason: 'unparseable_version' }],
    });
  });

  it('of other publishers and about one CVE are skipped', () => {
    const record = csafAdvisory({ products: [] });
    const others = [
      { ...record.document, publisher: { namespace: 'https://www.redhat.com' } },
      { ...record.document, publisher: { namespace: 'https://www.suse.com.example' } },
      { ...record.document, category: 'csaf_vex' },
    ];
    for (const document of others)
      expect(readRecord('suse-csaf', { ...record, document }).kind).toBe('skipped');
  });
});

describe('a host of SUSE', () => {
  const osv = {
    id: 'SUSE-SU-2026:0001-1',
    modified: '2026-05-02T00:00:00Z',
    related: ['CVE-2026-0001'],
    affected: [
      {
        package: { ecosystem: 'SUSE:Linux Enterprise Module for Basesystem 15 SP6', name: 'bash' },
        ranges: [{ type: 'ECOSYSTEM', events: [{ introduced: '0' }, { fixed: '5.1-150600.3.2.1' }] }],
        ecosystem_specific: { binaries: [{ bash: '5.1-150600.3.2.1' }] },
      },
    ],
  };
  const csaf = csafAdvisory({ products: [`SUSE Linux Enterprise Module for Basesystem 15 SP6:${build}`] });
  const installed = rpm('bash-5.1-150600.1.1.x86_64', { vendor: 'SUSE LLC <https://www.suse.com/>' });

  it('has one finding of an advisory that both feeds have, with the rating of SUSE', () => {
    const advisories = [advisoryOf('suse-osv', osv), advisoryOf('suse-csaf', csaf)];
    for (const each of [advisories, advisories.toReversed()]) {
      const { findings } = assessRpm({ release: 'suse:15.6', packages: [installed], advisories: each });
      expect(findings).toMatchObject([{ severity: 'important' }]);
    }
    expect(
      assessRpm({ release: 'suse:15.6', packages: [installed], advisories: [advisoryOf('suse-osv', osv)] })
        .findings,
    ).toMatchObject([{ severity: 'unrated' }]);
  });

  it('has the statements of its own architecture', () => {
    const statements = rpmStatements([advisoryOf('suse-csaf', csaf)], 'suse:15.6', 'bash');
    expect(statements.map(({ builds }) => builds.architectures)).toEqual([['x86_64']]);
  });
});

describe('the feed of advisories as CSAF', () => {
  it('covers no release alone, because it rejects advisories above the limit of a document', () => {
    expect(feedProfile('suse-csaf')).toMatchObject({
      listsFixes: false,
      distributions: ['suse', 'opensuse'],
      alternatives: [],
    });
    expect(feedForRelease('suse:15.6' as Release)?.id).toBe('suse-osv');
    expect(feedForRelease('opensuse:tumbleweed' as Release)?.id).toBe('opensuse-osv');
  });
});
