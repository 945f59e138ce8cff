import { createHostCounter, recountChangedHosts } from '@plimsoll/db';
import { productVersion } from '@plimsoll/model';
import { apiPerFile, type EnrolledHost } from './api-under-test.ts';
import { debianPackage, debianRecord, reportingHost } from './debian-fleet.ts';
import { importOsv } from './pipeline.ts';
import { addUser } from './users.ts';

const one = 'CVE-2024-0001';
const two = 'CVE-2024-0002';
const purl = 'pkg:deb/debian/openssh@1:9.2p1-2?arch=amd64&distro=debian-12';

const api = apiPerFile();
let alpha: EnrolledHost;
let bravo: EnrolledHost;
beforeAll(async () => {
  await importOsv(api.database, [
    debianRecord(`DEBIAN-${one}`, 'openssh', { fixed: '1:9.2p1-3', urgency: 'high', cves: [one] }),
    {
      ...debianRecord(`DEBIAN-${two}`, 'curl', { urgency: 'low', cves: [two] }),
      aliases: ['GHSA-aaaa-bbbb-cccc'],
    },
  ]);
  const packages = [debianPackage('openssh', '1:9.2p1-2'), debianPackage('curl', '7.88-1')] as never;
  alpha = await reportingHost(api, 'alpha', { packages });
  bravo = await reportingHost(api, 'bravo', { packages });
  await api.admin.patch(`/api/v1/hosts/${alpha.id}`, { json: { tags: ['web'] } });
});

const end = new Date(Date.now() + 30 * 86_400_000).toISOString();
const take = (document: object, query = 'all_hosts=true', token = api.admin.token) =>
  api.post(`/api/v1/waivers/import?${query}&expires_at=${end}`, { token, json: document });
const openVex = (...statements: readonly object[]) => ({
  '@context': 'https://openvex.dev/ns/v0.2.0',
  '@id': 'https://example.org/vex/1',
  statements,
});
const said = (name: string, product: string, status = 'not_affected') => ({
  vulnerability: { name },
  products: [{ '@id': product }],
  status,
  impact_statement: 'not built in',
});
const waivedOn = async ({ id }: EnrolledHost) => {
  await recountChangedHosts(api.database.as('advisory-worker'), { counter: createHostCounter() });
  return (await api.admin.get(`/api/v1/hosts/${id}`)).body.waived_count;
};
const exported = async (format: string) =>
  (await api.admin.get(`/api/v1/hosts/${alpha.id}/vex?format=${format}`)).body;
afterEach(async () => {
  for (const { id } of (await api.admin.get('/api/v1/waivers?state=active')).body)
    await api.admin.delete(`/api/v1/waivers/${id}`);
});

describe('POST /waivers/import', () => {
  const document = openVex(
    said(one, purl),
    said(two, purl),
    said('CVE-1999-0001', purl),
    said(one, 'pkg:npm/openssh'),
    said(two, 'pkg:deb/debian/curl', 'affected'),
  );
  const rejected = [
    ['/statements/3/products/0', 'unknown_product'],
    ['/statements/4/products/0', 'affected'],
    ['/statements/2/products/0', 'unknown_vulnerability'],
    ['/statements/1/products/0', 'no_finding'],
  ];
  const reasons = ({ body }: { body: { rejected: { pointer: string; reason: string }[] } }) =>
    body.rejected.map(({ pointer, reason }) => [pointer, reason]);

  it('checks first, then creates what concerns findings, and lists every other statement with its reason', async () => {
    const checked = await take(document, 'all_hosts=true&check_only=true');
    expect([checked.status, reasons(checked)]).toEqual([200, rejected]);
    expect(checked.body).toMatchObject({
      statements: 5,
      accepted: 1,
      waivers: [{ id: null, kind: 'false_positive', advisories: [one], matched_hosts: 2 }],
    });
    expect((await api.admin.get('/api/v1/waivers?state=active')).body).toEqual([]);
    const made = await take(document);
    expect([made.status, reasons(made)]).toEqual([201, rejected]);
    const [waiver] = (await api.admin.get('/api/v1/waivers?state=active')).body;
    expect(waiver).toMatchObject({
      id: made.body.waivers[0].id,
      purls: [purl],
      reason: 'not built in',
      origin: 'openvex https://example.org/vex/1',
    });
    expect([await waivedOn(alpha), await waivedOn(bravo)]).toEqual([1, 1]);
  });

  it('understands the alias of an advisory', async () => {
    const answer = await take(openVex(said('GHSA-aaaa-bbbb-cccc', 'pkg:deb/debian/curl')));
    expect([answer.status, answer.body.rejected]).toEqual([201, []]);
    expect(await waivedOn(alpha)).toBe(1);
  });

  it('covers the named version of a package only', async () => {
    const other = purl.replace('9.2p1-2', '9.2p1-1');
    expect(reasons(await take(openVex(said(one, other))))).toEqual([
      ['/statements/0/products/0', 'no_finding'],
    ]);
    expect((await take(openVex(said(one, 'pkg:deb/debian/openssh')), 'tag=web')).status).toBe(201);
    expect([await waivedOn(alpha), await waivedOn(bravo)]).toEqual([1, 0]);
  });

  it.each([
    ['without hosts', 'x', {}, 422],
    ['with two ways of hosts', 'all_hosts=true&tag=web', openVex(said(one, purl)), 422],
    ['that is not VEX', 'all_hosts=true', { hello: 1 }, 422],
    ['that is a list', 'all_hosts=true', [], 422],
    [
      'for a host that does not exist',
      'host=019a0000-0000-7000-8000-000000000000',
      openVex(said(one, purl)),
      422,
    ],
  ])('refuses a document %s', async (_what, query, json, status) => {
    expect((await take(json, query)).status).toBe(status);
  });
});

describe('GET /hosts/{id}/vex', () => {
  it('says what waivers and findings say, and an import of it gives the same waivers on the same host', async () => {
    await take(openVex(said(one, purl)), `host=${alpha.id}`);
    await waivedOn(alpha);
    const vex = await exported('openvex');
    const statuses = vex.statements.map((each: { vulnerability: { name: string }; status: string }) => [
      each.vulnerability.name,
      each.status,
    ]);
    expect(statuses).toEqual([
      [one, 'not_affected'],
      [two, 'affected'],
    ]);
    const csaf = await exported('csaf');
    const ids = new Set([
      ...csaf.product_tree.full_product_names.map((each: { product_id: string }) => each.product_id),
      ...csaf.product_tree.relationships.map(
        (each: { full_product_name: { product_id: string } }) => each.full_product_name.product_id,
      ),
    ]);
    for (const { product_status } of csaf.vulnerabilities)
      for (const id of Object.values(product_status as Record<string, string[]>).flat())
        expect(ids).toContain(id);
    expect(csaf.vulnerabilities[0]).toMatchObject({ cve: one, threats: [{ category: 'impact' }] });
    expect(csaf.vulnerabilities[1]).toMatchObject({
      cve: two,
      remediations: [{ category: 'none_available' }],
    });
    for (const format of ['openvex', 'csaf', 'cyclonedx']) {
      const back = await take(await exported(format), 'all_hosts=true&check_only=true');
      expect([format, back.body.waivers]).toMatchObject([
        format,
        [{ kind: 'false_positive', advisories: [one], purls: [purl], hosts: [alpha.id], all_hosts: false }],
      ]);
    }
  });

  it('names the version of the software that wrote it, not that of the API', async () => {
    expect((await exported('openvex')).tooling).toMatch(
      new RegExp(`^Plimsoll ${productVersion}\\. Not everything`),
    );
    expect((await exported('csaf')).document.tracking.generator.engine.version).toBe(productVersion);
    expect((await exported('cyclonedx')).metadata.tools.components[0].version).toBe(productVersion);
  });

  it('has no document without statements, because it would read as "nothing is affected"', async () => {
    const clean = await reportingHost(api, 'clean', {
      packages: [debianPackage('less', '1')] as never,
    });
    const vex = (format: string) => api.admin.get(`/api/v1/hosts/${clean.id}/vex?format=${format}`);
    expect([(await vex('openvex')).status, (await vex('csaf')).status]).toEqual([409, 409]);
    expect((await vex('cyclonedx')).body.compositions).toBeDefined();
  });
});

describe('GET /vex', () => {
  const fleet = (query: string, token = api.admin.token) => api.get(`/api/v1/vex?${query}`, { token });
  type Statement = { vulnerability: { name: string }; status: string; products: { '@id': string }[] };
  const statementsOf = ({ body }: { body: { statements: Statement[] } }) =>
    body.statements.map(({ vulnerability, status, products }) => [
      vulnerability.name,
      status,
      products.map((each) => each['@id']).sort(),
    ]);
  const urns = (...hosts: EnrolledHost[]) => hosts.map(({ id }) => `urn:uuid:${id}`).sort();

  it('says of each host what its own document says, for the fleet, a tag, a CVE, and both', async () => {
    await take(openVex(said(one, purl)), `host=${alpha.id}`);
    await waivedOn(alpha);
    expect(statementsOf(await fleet('format=openvex'))).toEqual([
      [one, 'affected', urns(bravo)],
      [one, 'not_affected', urns(alpha)],
      [two, 'affected', urns(alpha, bravo)],
    ]);
    expect(statementsOf(await fleet(`format=openvex&cve=${one.toLowerCase()}`))).toHaveLength(2);
    expect(statementsOf(await fleet('format=openvex&tag=web'))).toEqual([
      [one, 'not_affected', urns(alpha)],
      [two, 'affected', urns(alpha)],
    ]);
    expect(statementsOf(await fleet(`format=openvex&tag=web&cve=${two}`))).toEqual([
      [two, 'affected', urns(alpha)],
    ]);
    const csaf = (await fleet('format=csaf')).body;
    const ids = new Set(
      csaf.product_tree.relationships.map(
        (each: { full_product_name: { product_id: string } }) => each.full_product_name.product_id,
      ),
    );
    expect(ids.size).toBe(4);
    const statuses = csaf.vulnerabilities.map((each: { product_status: object }) => each.product_status);
    expect(statuses.map((each: object) => Object.values(each).flat().length)).toEqual([2, 2]);
    expect(
      statuses.flatMap((each: object) => Object.values(each).flat()).every((id: string) => ids.has(id)),
    ).toBe(true);
  });

  it('comes back as the same waivers on the same host in each format', async () => {
    await take(openVex(said(one, purl)), `host=${alpha.id}`);
    await waivedOn(alpha);
    for (const format of ['openvex', 'csaf', 'cyclonedx']) {
      const { body } = await fleet(`format=${format}`);
      const back = await take(body, 'all_hosts=true&check_only=true');
      expect([format, back.body.waivers]).toMatchObject([
        format,
        [{ kind: 'false_positive', advisories: [one], purls: [purl], hosts: [alpha.id], all_hosts: false }],
      ]);
    }
  });

  it('shows limited readers their hosts, says what is not known, and is in the audit log', async () => {
    const { token } = await addUser(api, 'viewer', { tags: ['web'] });
    expect(statementsOf(await fleet('format=openvex', token)).flatMap(([, , products]) => products)).toEqual([
      ...urns(alpha),
      ...urns(alpha),
    ]);
    expect((await fleet('format=openvex&tag=db', token)).status).toBe(404);
    const titleFor = async (reader?: string) => (await fleet('format=csaf', reader)).body.document.title;
    expect(await titleFor(token)).toBe(
      'Status of the approved hosts with one of the tags web as Plimsoll knows it',
    );
    expect(await titleFor()).toBe('Status of all approved hosts as Plimsoll knows it');
    const before = Number((await fleet('format=cyclonedx')).headers['plimsoll-unknown-hosts']);
    await api.admin.post('/api/v1/hosts/manual', { json: { display_name: 'm', hostname: 'm.example.org' } });
    const { headers, body } = await fleet('format=cyclonedx');
    expect(headers['plimsoll-unknown-hosts']).toBe(String(before + 1));
    expect(body.compositions[0].aggregate).toBe('incomplete');
    expect((await fleet('format=csaf')).body.document.notes[0].text).toContain('not all findings are known');
    expect((await fleet('format=openvex')).body.tooling).toContain('not all findings are known');
    const events = (await api.admin.get('/api/v1/audit-events?action=data.exported&limit=1')).body;
    expect(events[0].details).toMatchObject({ operation: 'getFleetVex' });
    expect((await fleet('format=csaf&cve=CVE-1999-0001')).status).toBe(409);
  });
});

describe('an erratum of several CVEs without records of their own', () => {
  const cves = ['CVE-2024-0003', 'CVE-2024-0004'];
  let charlie: EnrolledHost;
  beforeAll(async () => {
    await importOsv(api.database, [debianRecord('DSA-5724-1', 'zlib', { fixed: '1:1.3-2', cves })]);
    charlie = await reportingHost(api, 'charlie', {
      packages: [debianPackage('zlib', '1:1.3-1')] as never,
    });
  });
  const stated = (...names: readonly string[]) =>
    names.map((name) => ({
      ...said(name, 'pkg:deb/debian/zlib'),
      impact_statement: `${name} is not built in`,
    }));

  it('is waived by a document that decides all of them, for one reason or several', async () => {
    const together = cves.map((name) => said(name, 'pkg:deb/debian/zlib'));
    for (const statements of [together, stated(...cves)]) {
      const { body } = await take(openVex(...statements));
      expect([body.accepted, body.rejected]).toEqual([2, []]);
      expect(await waivedOn(charlie)).toBe(1);
      for (const { id } of body.waivers) await api.admin.delete(`/api/v1/waivers/${id}`);
    }
  });

  it('is waived when a second document decides the rest', async () => {
    const [first = '', second = ''] = cves;
    expect((await take(openVex(...stated(first)))).body).toMatchObject({ accepted: 1, rejected: [] });
    expect(await waivedOn(charlie)).toBe(0);
    expect((await take(openVex(...stated(second)))).body).toMatchObject({ accepted: 1, rejected: [] });
    expect(await waivedOn(charlie)).toBe(1);
  });
});
