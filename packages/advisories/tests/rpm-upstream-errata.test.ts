import type { InstalledPackage } from '@plimsoll/model';
import { assessRpm, lines, offer, rpm } from './rpm-host.ts';
import { advisoryOf, readRecord } from './rpm-records.ts';

/** A record of Red Hat's OSV: fixed versions by package, in release 8 unless another product is given. */
function redHat(
  fixes: Readonly<Record<string, string>>,
  {
    id = 'RHSA-2024:4264',
    cves = ['CVE-2023-2953'],
    product = 'enterprise_linux:8::baseos',
    summary = 'Red Hat Security Advisory: openldap security update',
  } = {},
) {
  return {
    schema_version: '1.6.0',
    id,
    modified: '2024-07-02T00:00:00Z',
    summary,
    related: cves,
    affected: Object.entries(fixes).map(([name, fixed]) => ({
      package: { ecosystem: `Red Hat:${product}`, name },
      ranges: [{ type: 'ECOSYSTEM', events: [{ introduced: '0' }, { fixed }] }],
    })),
  };
}
const upstream = (...record: Parameters<typeof redHat>) => advisoryOf('redhat-osv', redHat(...record));
const openldap = { openldap: '0:2.4.46-19.el8_10', 'openldap-clients': '0:2.4.46-19.el8_10' };

function rocky(nevra: string, { id = 'RLSA-2024:4264', cves = ['CVE-2023-2953'] } = {}) {
  return advisoryOf('rocky-errata', {
    name: id,
    kind: 'Security',
    severity: 'Moderate',
    synopsis: 'Moderate: security update',
    published_at: '2024-07-02T00:00:00+00:00',
    cves: cves.map((cve) => ({ cve })),
    packages: [{ nevra: `${nevra}.rpm`, product_name: 'Rocky Linux 8 x86_64' }],
  });
}

const built = (nevra: string, sourceName: string, rest: Partial<InstalledPackage> = {}) => {
  const [, sourceVersion = ''] = /-(?:\d+:)?([^-]+-[^-]+)\.\w+$/.exec(nevra) ?? [];
  return rpm(nevra, { sourceName, sourceVersion, vendor: 'Rocky', ...rest });
};
const clients = built('openldap-clients-2.4.46-18.el8.x86_64', 'openldap');
const release = 'rocky:8';

describe('an erratum of Red Hat about which Rocky is silent', () => {
  it('is upstream’s word for every package built from the source', () => {
    const packages = [clients, built('openldap-2.4.46-18.el8.x86_64', 'openldap')];
    expect(lines({ release, packages, advisories: [upstream(openldap)] })).toEqual([
      'openldap-clients.x86_64 RHSA-2024:4264 not_in_repositories',
      'openldap.x86_64 RHSA-2024:4264 not_in_repositories',
    ]);
  });

  it('is said to be of the distribution that Rocky is rebuilt from', () => {
    const { findings } = assessRpm({ release, packages: [clients], advisories: [upstream(openldap)] });
    expect(findings[0]?.evidence.notes).toContainEqual({
      code: 'upstream_statement',
      detail: expect.stringContaining('RHSA-2024:4264'),
    });
  });

  it.each([
    ['2.4.46-19.el8_10', false],
    ['2.4.46-19.el8_10.rocky.0.1', false],
    ['2.4.46-19.el8', false],
    ['2.4.46-18.el8_10', true],
    ['2.4.46-18.el8.rocky.0.2', true],
  ])('is compared with the same build: %s is affected: %s', (version, isAffected) => {
    const packages = [built(`openldap-${version}.x86_64`, 'openldap')];
    expect(lines({ release, packages, advisories: [upstream(openldap)] })).toHaveLength(isAffected ? 1 : 0);
  });

  it('does not take the update of an older minor release for that of a newer one', () => {
    const advisories = [upstream({ openldap: '0:2.4.46-18.el8_5.1' })];
    const of = (version: string) => [built(`openldap-2.4.46-${version}.x86_64`, 'openldap')];
    expect(lines({ release, packages: of('18.el8_4.2'), advisories })).toHaveLength(1);
    expect(lines({ release, packages: of('18.el8_5.2'), advisories })).toHaveLength(0);
  });

  it('is installable if the repositories offer the build', () => {
    const host = { release, packages: [clients], advisories: [upstream(openldap)] };
    const states = (version: string) => lines({ ...host, upgrades: [offer(clients, version)] });
    expect(states('2.4.46-19.el8_10')).toEqual(['openldap-clients.x86_64 RHSA-2024:4264 installable']);
    expect(states('2.4.46-18.el8_9')).toEqual(['openldap-clients.x86_64 RHSA-2024:4264 not_in_repositories']);
  });

  it('is installable with Rocky’s own build of the module', () => {
    const fixed = '1:18.20.2-1.module+el8.9.0+21534+ab';
    const summary = 'Red Hat Security Advisory: nodejs:18 security update';
    const advisories = [upstream({ nodejs: fixed }, { summary })];
    const nodejs = built('nodejs-1:18.19.1-1.module+el8.9.0+1701+aa.x86_64', 'nodejs', {
      module: 'nodejs:18',
    });
    const upgrades = [offer(nodejs, '1:18.20.2-1.module+el8.9.0+1763+ff')];
    expect(lines({ release, packages: [nodejs], advisories, upgrades })).toEqual([
      'nodejs.x86_64 RHSA-2024:4264 installable',
    ]);
    const other = [{ ...nodejs, module: 'nodejs:20' }];
    expect(lines({ release, packages: other, advisories })).toEqual([]);
  });

  it.each(['almalinux:8', 'oracle:8', 'rocky:9'])('says nothing of %s', (other) => {
    expect(lines({ release: other, packages: [clients], advisories: [upstream(openldap)] })).toEqual([]);
  });

  it('says nothing of what Rocky does not rebuild: minor releases under extended support', () => {
    const packages = [clients];
    for (const product of ['rhel_eus:8.6::baseos', 'rhel_els:8::baseos', 'satellite:6.11::el8']) {
      const reading = readRecord('redhat-osv', redHat(openldap, { product }));
      const advisories = reading.kind === 'read' ? reading.items : [];
      expect(lines({ release, packages, advisories })).toEqual([]);
    }
  });
});

describe('an erratum of Red Hat about which Rocky is not silent', () => {
  const packages = [clients];

  it('yields to Rocky’s erratum of the same number', () => {
    const own = rocky('openldap-clients-0:2.4.46-19.el8_10.x86_64', { cves: [] });
    expect(lines({ release, packages, advisories: [own, upstream(openldap)] })).toEqual([
      'openldap-clients.x86_64 RLSA-2024:4264 not_in_repositories',
    ]);
  });

  it('yields to errata of other numbers that name all of its CVEs', () => {
    const own = rocky('openldap-clients-0:2.4.46-17.el8.x86_64', { id: 'RLSA-2023:1' });
    expect(lines({ release, packages, advisories: [own, upstream(openldap)] })).toEqual([]);
    const more = upstream(openldap, { cves: ['CVE-2023-2953', 'CVE-2023-3000'] });
    expect(lines({ release, packages, advisories: [own, more] })).toEqual([
      'openldap-clients.x86_64 RHSA-2024:4264 not_in_repositories',
    ]);
  });

  it('does not yield to Rocky’s errata about other packages', () => {
    const own = rocky('openldap-0:2.4.46-19.el8_10.x86_64');
    expect(lines({ release, packages, advisories: [own, upstream(openldap)] })).toEqual([
      'openldap-clients.x86_64 RHSA-2024:4264 not_in_repositories',
    ]);
  });
});
