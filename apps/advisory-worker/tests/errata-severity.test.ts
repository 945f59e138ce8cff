import { databasePerTest } from '@plimsoll/testing';
import { bring } from './worker-under-test.ts';

const database = databasePerTest();

/** The severity of an advisory's statements with its source, by release and package. */
async function severities(externalId: string): Promise<Readonly<Record<string, string>>> {
  const found = await database.db.prisma.advisoryPackage.findMany({
    where: { advisory: { externalId } },
    include: { release: true },
  });
  return Object.fromEntries(
    found.map(({ release, name, severity, severitySource }) => [
      `${release.name} ${name}`,
      `${severity} ${severitySource}`,
    ]),
  );
}

const scores = {
  8: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:H/I:H/A:H',
  9: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
};
const affected = (release: string, name: string, urgency?: string) => ({
  package: { ecosystem: release, name },
  ranges: [{ type: 'ECOSYSTEM', events: [{ introduced: '0' }, { fixed: '2' }] }],
  ...(urgency === undefined ? {} : { ecosystem_specific: { urgency } }),
});
const cve = (id: string, entries: readonly object[], score?: keyof typeof scores) => ({
  id: `DEBIAN-${id}`,
  upstream: [id],
  affected: entries,
  ...(score === undefined ? {} : { severity: [{ type: 'CVSS_V3', score: scores[score] }] }),
});
const dsa = (
  upstream: readonly string[],
  entries: readonly object[] = [affected('Debian:12', 'openssh')],
) => ({
  id: 'DSA-5724-1',
  upstream,
  affected: entries,
});

describe("an erratum without its vendor's severity", () => {
  it('has the severity of its CVE’s record, in either order of arrival', async () => {
    const regreSshion = cve('CVE-2024-6387', [affected('Debian:12', 'openssh')], 8);
    await bring(database, [dsa(['CVE-2024-6387'])]);
    expect(await severities('DSA-5724-1')).toEqual({ 'debian:12 openssh': 'unrated none' });
    await bring(database, [regreSshion]);
    expect(await severities('DSA-5724-1')).toEqual({ 'debian:12 openssh': 'important cvss' });
    await bring(database, [{ ...dsa(['CVE-2024-6387']), summary: 'changed' }]);
    expect(await severities('DSA-5724-1')).toEqual({ 'debian:12 openssh': 'important cvss' });
  });

  it('follows the record: a new rating, its withdrawal and its removal', async () => {
    const record = (urgency: string) => cve('CVE-2024-0001', [affected('Debian:12', 'openssh', urgency)]);
    const stated = async () => (await severities('DSA-5724-1'))['debian:12 openssh'];
    await bring(database, [dsa(['CVE-2024-0001']), record('low')]);
    expect(await stated()).toBe('low cves');
    await bring(database, [record('high')]);
    expect(await stated()).toBe('important cves');
    await bring(database, [{ ...record('high'), withdrawn: '2024-05-01T00:00:00Z' }]);
    expect(await stated()).toBe('unrated none');
    await bring(database, [record('medium')]);
    expect(await stated()).toBe('moderate cves');
    await bring(database, [dsa(['CVE-2024-0001'])], { complete: true });
    expect(await stated()).toBe('unrated none');
  });

  it('has the worst of its CVEs, each judged for the same package and release if known', async () => {
    await bring(database, [
      dsa(['CVE-2024-0001', 'CVE-2024-0002', 'CVE-2024-0003']),
      cve('CVE-2024-0001', [
        affected('Debian:12', 'openssh', 'low'),
        affected('Debian:11', 'openssh', 'high'),
      ]),
      cve('CVE-2024-0002', [affected('Debian:11', 'openssh', 'medium')]),
    ]);
    expect(await severities('DSA-5724-1')).toEqual({ 'debian:12 openssh': 'moderate cves' });
  });

  it('is not hidden because its CVE is unimportant, and uses nothing from other distributions', async () => {
    const ubuntu = {
      id: 'UBUNTU-CVE-2024-0001',
      upstream: ['CVE-2024-0001'],
      affected: [affected('Ubuntu:22.04:LTS', 'openssh')],
      severity: [{ type: 'Ubuntu', score: 'critical' }],
    };
    await bring(database, [
      dsa(['CVE-2024-0001']),
      cve('CVE-2024-0001', [affected('Debian:12', 'openssh', 'unimportant')]),
    ]);
    await bring(database, [ubuntu]);
    expect(await severities('DSA-5724-1')).toEqual({ 'debian:12 openssh': 'unrated none' });
  });
});

describe('an erratum of Red Hat with only a CVSS score', () => {
  const rhba = (cves: readonly string[]) => ({
    id: 'RHBA-2024:0001',
    schema_version: '1.7.0',
    upstream: cves,
    severity: [{ type: 'CVSS_V3', score: scores[9] }],
    affected: [affected('Red Hat:enterprise_linux:9::baseos', 'openssl-libs')],
  });
  const record = (name: string, threat_severity: string | null) => ({
    name,
    threat_severity,
    cvss3: { cvss3_scoring_vector: scores[9] },
    package_state: [
      { cpe: 'cpe:/o:redhat:enterprise_linux:9', fix_state: 'Affected', package_name: 'compat-openssl11' },
    ],
  });

  it('has the vendor’s ratings of its CVEs once each has one', async () => {
    const stated = async () => (await severities('RHBA-2024:0001'))['rhel:9 openssl-libs'];
    await bring(database, [rhba(['CVE-2024-0001', 'CVE-2024-0002'])]);
    expect(await stated()).toBe('critical cvss');
    await bring(database, [record('CVE-2024-0001', 'Low')]);
    expect(await stated()).toBe('critical cvss');
    await bring(database, [record('CVE-2024-0002', null)]);
    expect(await stated()).toBe('critical cvss');
    await bring(database, [record('CVE-2024-0002', 'Moderate')]);
    expect(await stated()).toBe('moderate cves');
    expect((await severities('CVE-2024-0001'))['rhel:9 compat-openssl11']).toBe('low vendor');
  });

  it('has the rating that VEX gives the component which the bug fix update fixes', async () => {
    const [platform, component] = ['BaseOS-9.2.0.Z.MAIN.EUS', 'openssl-1:3.0.7-16.el9_2.src'];
    const product = `${platform}:${component}`;
    const helped = (id: string, helper: object) => ({
      category: 'product_name',
      product: { product_id: id, product_identification_helper: helper },
    });
    await bring(database, [rhba(['CVE-2024-0001'])]);
    expect((await severities('RHBA-2024:0001'))['rhel:9 openssl-libs']).toBe('critical cvss');
    await bring(database, [
      {
        document: { category: 'csaf_vex', aggregate_severity: { text: 'Moderate' } },
        product_tree: {
          branches: [
            helped(platform, { cpe: 'cpe:/o:redhat:enterprise_linux:9::baseos' }),
            helped(component, { purl: 'pkg:rpm/redhat/openssl@3.0.7-16.el9_2?arch=src&epoch=1' }),
          ],
          relationships: [
            {
              full_product_name: { product_id: product },
              product_reference: component,
              relates_to_product_reference: platform,
            },
          ],
        },
        vulnerabilities: [
          {
            cve: 'CVE-2024-0001',
            product_status: { fixed: [product] },
            threats: [{ category: 'impact', details: 'Low', product_ids: [product] }],
          },
        ],
      },
    ]);
    expect((await severities('RHBA-2024:0001'))['rhel:9 openssl-libs']).toBe('low cves');
  });
});
