import { advisoryOf, readRecord } from '../../rpm-records.ts';

function record(ecosystem: string, binaries: unknown, id = 'SUSE-SU-2024:0001-1') {
  return {
    id,
    modified: '2024-01-02T00:00:00Z',
    related: ['CVE-2024-0001'],
    summary: 'Security update for openssl-1_1',
    affected: [
      {
        package: { ecosystem, name: 'openssl-1_1' },
        ranges: [{ type: 'ECOSYSTEM', events: [{ introduced: '0' }, { fixed: '1.1.1l-150500.17.22.1' }] }],
        ecosystem_specific: { binaries },
      },
    ],
  };
}

describe('OSV of SUSE', () => {
  it('covers the listed binary packages, each with its version', () => {
    const binaries = [{ libopenssl1_1: '1.1.1l-150500.17.22.1', 'openssl-1_1': '1.1.1l-150500.17.22.1' }];
    const advisory = advisoryOf(
      'suse-osv',
      record('SUSE:Linux Enterprise Module for Basesystem 15 SP5', binaries),
    );
    expect(advisory.packages).toMatchObject([
      {
        release: 'suse:15.5',
        name: 'libopenssl1_1',
        fix: { version: '1.1.1l-150500.17.22.1', service: null },
      },
      { release: 'suse:15.5', name: 'openssl-1_1' },
    ]);
  });

  it.each([
    ['SUSE:Linux Enterprise Server 12', 'suse:12', null],
    ['SUSE:Linux Enterprise Server 12 SP5-LTSS', 'suse:12.5', 'ltss'],
    ['SUSE:Linux Enterprise Server for SAP Applications 15 SP4', 'suse:15.4', null],
    ['SUSE:Linux Enterprise Server LTSS 15 SP3', 'suse:15.3', 'ltss'],
  ])('of %s is for %s', (ecosystem, release, service) => {
    expect(advisoryOf('suse-osv', record(ecosystem, [{ a: '1-1' }])).packages).toMatchObject([
      { release, fix: { service } },
    ]);
  });

  it('of Leap is for openSUSE', () => {
    const { packages } = advisoryOf('opensuse-osv', record('openSUSE:Leap 15.6', [{ a: '1-1' }]));
    expect(packages).toMatchObject([{ release: 'opensuse:15.6', name: 'a' }]);
  });

  it('of Tumbleweed and of Package Hub have a release and a line of their own', () => {
    const tumbleweed = advisoryOf('opensuse-osv', record('openSUSE:Tumbleweed', [{ a: '1-1' }]));
    expect(tumbleweed.packages).toMatchObject([{ release: 'opensuse:tumbleweed', builds: { line: null } }]);
    const hub = advisoryOf('suse-osv', record('SUSE:Package Hub 15 SP6', [{ a: '1-1' }]));
    expect(hub.packages).toMatchObject([{ release: 'suse:15.6', builds: { line: 'package-hub' } }]);
    expect(readRecord('opensuse-osv', record('SUSE:Package Hub 15 SP6', [{ a: '1-1' }])).kind).toBe(
      'skipped',
    );
  });

  it.each([7, [7], [{}], [{ a: 7 }], [{ '../x': '1-1' }]])('with binaries %j does not crash', (binaries) => {
    expect(['read', 'rejected']).toContain(
      readRecord('suse-osv', record('SUSE:Linux Enterprise Server 12', binaries)).kind,
    );
  });

  it('with an id of another form is rejected', () => {
    const odd = record('SUSE:Linux Enterprise Server 12', [{ a: '1-1' }], 'SUSE-SU-403 Forbidden-1');
    expect(readRecord('suse-osv', odd)).toMatchObject({ kind: 'rejected', reason: 'invalid_id' });
  });
});
