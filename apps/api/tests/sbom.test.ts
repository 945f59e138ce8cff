import { Spec, Validation } from '@cyclonedx/cyclonedx-library';
import type { Sbom } from '@plimsoll/contract';
import { apiPerFile } from './api-under-test.ts';
import { critical, debianOffer, debianPackage, debianRecord, reportingHost } from './debian-fleet.ts';
import { importOsv } from './pipeline.ts';

const api = apiPerFile();

beforeAll(async () => {
  await importOsv(api.database, [
    debianRecord('DEBIAN-CVE-2024-0001', 'openssl', {
      fixed: '3',
      cvss: critical,
      cves: ['CVE-2024-0001'],
    }),
    debianRecord('DEBIAN-CVE-2024-0002', 'curl', { cves: ['CVE-2024-0002'] }),
  ]);
});

async function sbomOf(id: string): Promise<Sbom> {
  const answer = await api.admin.get(`/api/v1/hosts/${id}/sbom`);
  expect(answer.status).toBe(200);
  return answer.body;
}

/** What is wrong with a document by the official schema of CycloneDX 1.6; null: nothing. */
const faultOf = (sbom: object) =>
  new Validation.JsonStrictValidator(Spec.Version.v1dot6).validate(JSON.stringify(sbom));

describe('GET /hosts/{id}/sbom', () => {
  it('is valid CycloneDX 1.6 with every package, and each open vulnerability with its analysis', async () => {
    const { id } = await reportingHost(api, 'alpha.example.org', {
      packages: [
        debianPackage('libssl3', '1:2+deb12~u1', { sourceName: 'openssl', sourceVersion: '1' }),
        debianPackage('openssl', '1'),
        debianPackage('curl', '1'),
      ],
      upgradable: [debianOffer('openssl', {}, '1', '3')],
    });
    const sbom = await sbomOf(id);
    expect(await faultOf(sbom)).toBeNull();
    expect(sbom.components.map(({ type, name, purl }) => [type, name, purl])).toEqual([
      ['operating-system', 'debian', undefined],
      ['library', 'curl', 'pkg:deb/debian/curl@1?arch=amd64&distro=debian-12'],
      ['library', 'libssl3', 'pkg:deb/debian/libssl3@1:2%2Bdeb12~u1?arch=amd64&distro=debian-12'],
      ['library', 'openssl', 'pkg:deb/debian/openssl@1?arch=amd64&distro=debian-12'],
    ]);
    const { vulnerabilities } = sbom;
    expect(
      vulnerabilities.map((each) => [each.id, each.analysis.state, each.analysis.response]).sort(),
    ).toEqual([
      ['CVE-2024-0001', 'exploitable', ['update']],
      ['CVE-2024-0001', 'exploitable', ['update']],
      ['CVE-2024-0002', 'exploitable', undefined],
    ]);
    const refs = new Set(sbom.components.map((component) => component['bom-ref']));
    for (const { affects } of vulnerabilities) for (const { ref } of affects) expect(refs).toContain(ref);
    const rated = vulnerabilities.find(({ id: cve }) => cve === 'CVE-2024-0001');
    expect(rated?.ratings).toContainEqual(expect.objectContaining({ score: 9.8, method: 'CVSSv31' }));
    expect((await sbomOf(id)).serialNumber).toBe(sbom.serialNumber);
  });

  it('lists the gaps of the host, so that no vulnerability does not read as safe', async () => {
    const { id } = await reportingHost(api, 'gap.example.org', {
      packages: [debianPackage('less', '1')],
      release: '10',
    });
    const sbom = await sbomOf(id);
    const { body } = await api.admin.get(`/api/v1/hosts/${id}`);
    expect(body.gaps.length).toBeGreaterThan(0);
    expect(await faultOf(sbom)).toBeNull();
    const gaps = sbom.metadata.properties.filter(({ name }) => name === 'plimsoll:gap');
    expect(gaps.map(({ value }) => value)).toEqual(body.gaps);
    expect([sbom.vulnerabilities, sbom.compositions[1]?.aggregate]).toEqual([[], 'incomplete']);
  });

  it('says that a host is retired, and calls nothing of it complete but its last report', async () => {
    const { id } = await reportingHost(api, 'retired.example.org', {
      packages: [debianPackage('curl', '1')],
    });
    const json = { action: 'retire', hosts: [id] };
    expect((await api.admin.post('/api/v1/hosts/actions', { json })).status).toBe(200);
    const sbom = await sbomOf(id);
    const { body: host } = await api.admin.get(`/api/v1/hosts/${id}`);
    expect(await faultOf(sbom)).toBeNull();
    expect(sbom.metadata.properties).toContainEqual({ name: 'plimsoll:retired_at', value: host.retired_at });
    expect(sbom.compositions[1]?.aggregate).toBe('incomplete');
    const vex = async (format: string) =>
      JSON.stringify((await api.admin.get(`/api/v1/hosts/${id}/vex?format=${format}`)).body);
    for (const format of ['openvex', 'csaf'])
      expect(await vex(format)).toContain(`The host was retired at ${host.retired_at}`);
  });

  it('is valid with hostile names, has the type of CycloneDX where asked, and needs a report', async () => {
    const { id } = await reportingHost(api, 'hostile.example.org', {
      packages: [
        debianPackage("a%40?x=1#y'(*)", 'x:y~"', { vendor: '<script>"' }),
        debianPackage('pkg:deb/debian/curl@1', '1'),
      ],
    });
    expect(await faultOf(await sbomOf(id))).toBeNull();
    const path = `/api/v1/hosts/${id}/sbom`;
    const typed = await api.admin.get(path, { headers: { Accept: 'application/vnd.cyclonedx+json' } });
    expect(typed.headers['content-type']).toBe('application/vnd.cyclonedx+json; version=1.6');
    const manual = { display_name: 'new', hostname: 'new.example.org' };
    const added = await api.admin.post('/api/v1/hosts/manual', { json: manual });
    const without = await api.admin.get(`/api/v1/hosts/${added.body.id}/sbom`);
    expect([without.status, without.body.code]).toEqual([404, 'no_snapshot']);
  });
});
