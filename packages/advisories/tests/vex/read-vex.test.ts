import { isJsonObject, type JsonObject } from '@plimsoll/model';
import { joinDecisions, planWaivers, readVex, type VexStatement } from '../../src/index.ts';

const host = '019a0000-0000-7000-8000-000000000001';
const purl = 'pkg:deb/debian/openssl@3.0.15-1?arch=amd64&distro=debian-12';
const cve = 'CVE-2024-0001';

const openVex = (statement: object): object => ({
  '@context': 'https://openvex.dev/ns/v0.2.0',
  '@id': 'https://example.org/vex/1',
  statements: [{ vulnerability: { name: cve }, products: [{ '@id': purl }], ...statement }],
});
const cycloneDx = (analysis: object, more: object = {}): object => ({
  bomFormat: 'CycloneDX',
  specVersion: '1.6',
  serialNumber: 'urn:uuid:1',
  components: [{ type: 'library', 'bom-ref': 'a', name: 'openssl', purl }],
  vulnerabilities: [{ id: cve, analysis, affects: [{ ref: 'a' }] }],
  ...more,
});
const csaf = (status: string, more: object = {}): object => ({
  document: { csaf_version: '2.0', tracking: { id: 'X-1' } },
  product_tree: {
    branches: [
      {
        category: 'product_version',
        name: 'x',
        product: { name: 'openssl', product_id: 'a', product_identification_helper: { purl } },
      },
    ],
    full_product_names: [{ name: 'web-1', product_id: `urn:uuid:${host}` }],
    relationships: [
      {
        category: 'installed_on',
        product_reference: 'a',
        relates_to_product_reference: `urn:uuid:${host}`,
        full_product_name: { name: 'x', product_id: 'a-on-host' },
      },
    ],
  },
  vulnerabilities: [{ cve, product_status: { [status]: ['a'] }, ...more }],
});

function statementsIn(document: object): readonly VexStatement[] {
  const json: JsonObject = JSON.parse(JSON.stringify(document));
  const read = readVex(json);
  return read.kind === 'vex' ? read.document.statements : [];
}

const place = {
  allHosts: true,
  hostState: (id: string) => (id === host ? ('chosen' as const) : ('unknown' as const)),
};

/** The kind of the only statement's waiver, or why it is rejected. */
function resultOf(document: object, where = place): string | undefined {
  const { decisions, rejected } = planWaivers(statementsIn(document), where);
  expect(decisions.length + rejected.length).toBe(1);
  return decisions[0]?.kind ?? rejected[0]?.reason;
}

describe('a statement', () => {
  it.each([
    [
      'OpenVEX, not affected',
      openVex({ status: 'not_affected', justification: 'component_not_present' }),
      'false_positive',
    ],
    [
      'OpenVEX, mitigated',
      openVex({ status: 'not_affected', justification: 'inline_mitigations_already_exist' }),
      'mitigated',
    ],
    ['OpenVEX, fixed', openVex({ status: 'fixed' }), 'false_positive'],
    [
      'OpenVEX, fixed in no version',
      openVex({ status: 'fixed', products: [{ '@id': 'pkg:deb/debian/openssl' }] }),
      'fixed_without_version',
    ],
    ['OpenVEX, affected', openVex({ status: 'affected' }), 'affected'],
    ['OpenVEX, under investigation', openVex({ status: 'under_investigation' }), 'under_investigation'],
    ['OpenVEX, another word', openVex({ status: 'fine' }), 'unknown_status'],
    [
      'OpenVEX, as text (0.0.1)',
      openVex({ vulnerability: cve, products: [purl], status: 'not_affected' }),
      'false_positive',
    ],
    [
      'OpenVEX without a vulnerability',
      openVex({ vulnerability: {}, status: 'not_affected' }),
      'no_vulnerability',
    ],
    ['OpenVEX without a product', openVex({ products: undefined, status: 'not_affected' }), 'no_product'],
    [
      'OpenVEX about a container image',
      openVex({ products: [{ '@id': 'pkg:oci/app@sha256:1' }], status: 'not_affected' }),
      'unknown_product',
    ],
    [
      'OpenVEX about a package in an image',
      openVex({
        products: [{ '@id': 'pkg:oci/app', subcomponents: [{ '@id': purl }] }],
        status: 'not_affected',
      }),
      'within_other_product',
    ],
    [
      'OpenVEX about a host',
      openVex({
        products: [{ '@id': `urn:uuid:${host}`, subcomponents: [{ '@id': purl }] }],
        status: 'not_affected',
      }),
      'false_positive',
    ],
    [
      'OpenVEX about another host',
      openVex({
        products: [{ '@id': `urn:uuid:${host.replace('019a', '019b')}`, subcomponents: [{ '@id': purl }] }],
        status: 'not_affected',
      }),
      'unknown_host',
    ],
    ['CycloneDX, false positive', cycloneDx({ state: 'false_positive' }), 'false_positive'],
    [
      'CycloneDX, mitigated',
      cycloneDx({ state: 'not_affected', justification: 'protected_at_perimeter' }),
      'mitigated',
    ],
    ['CycloneDX, exploitable', cycloneDx({ state: 'exploitable', response: ['will_not_fix'] }), 'affected'],
    ['CycloneDX, in triage', cycloneDx({ state: 'in_triage' }), 'under_investigation'],
    ['CycloneDX without an analysis', cycloneDx({}), 'unknown_status'],
    [
      'CycloneDX with a BOM-Link to a purl',
      cycloneDx(
        { state: 'resolved' },
        {
          vulnerabilities: [
            {
              id: cve,
              analysis: { state: 'resolved' },
              affects: [{ ref: `urn:cdx:1/1#${encodeURIComponent(purl)}` }],
            },
          ],
        },
      ),
      'false_positive',
    ],
    [
      'CycloneDX of an application',
      cycloneDx({ state: 'not_affected' }, { metadata: { component: { 'bom-ref': 'app', name: 'app' } } }),
      'within_other_product',
    ],
    [
      'CycloneDX of a host by Plimsoll',
      cycloneDx(
        { state: 'not_affected' },
        {
          metadata: {
            component: {
              'bom-ref': 'host',
              name: 'web-1',
              properties: [{ name: 'plimsoll:host_id', value: host }],
            },
          },
        },
      ),
      'false_positive',
    ],
    ['CSAF, not affected', csaf('known_not_affected'), 'false_positive'],
    [
      'CSAF, mitigated on a host',
      csaf('known_not_affected', {
        product_status: { known_not_affected: ['a-on-host'] },
        flags: [{ label: 'inline_mitigations_already_exist', product_ids: ['a-on-host'] }],
      }),
      'mitigated',
    ],
    ['CSAF, fixed', csaf('fixed'), 'false_positive'],
    ['CSAF, affected', csaf('known_affected'), 'affected'],
    ['CSAF, recommended', csaf('recommended'), 'unknown_status'],
    [
      'CSAF about an unknown product',
      csaf('known_not_affected', { product_status: { known_not_affected: ['z'] } }),
      'unknown_product',
    ],
  ])('%s', (_what, document, expected) => {
    expect(resultOf(document)).toBe(expected);
  });

  it('about a package in another product holds on hosts that the user names', () => {
    const document = openVex({
      products: [{ '@id': 'pkg:oci/app', subcomponents: [{ '@id': purl }] }],
      status: 'not_affected',
    });
    expect(resultOf(document, { ...place, allHosts: false })).toBe('false_positive');
  });
});

describe('hostile documents', () => {
  it.each([
    [
      'numbers for texts',
      { '@context': 'https://openvex.dev/ns', statements: [{ vulnerability: 7, products: 9 }, null, 3, 'x'] },
    ],
    [
      'prototype names',
      {
        bomFormat: 'CycloneDX',
        vulnerabilities: [
          { id: '__proto__', analysis: { state: 'constructor' }, affects: [{ ref: '__proto__' }] },
        ],
      },
    ],
    [
      'CSAF of nothing',
      {
        document: { csaf_version: '2.0' },
        product_tree: { branches: 'x' },
        vulnerabilities: [{}, { product_status: [] }],
      },
    ],
  ])('%s waive nothing', (_what, document) => {
    expect(planWaivers(statementsIn(document), place).decisions).toEqual([]);
  });

  it('are read at any depth, and refused with too many statements', () => {
    const deep = JSON.parse(`${'{"components":['.repeat(5_000)}${']}'.repeat(5_000)}`);
    expect(isJsonObject(deep) && readVex({ ...deep, bomFormat: 'CycloneDX' }).kind).toBe('vex');
    const many = openVex({ products: Array.from({ length: 5_001 }, () => ({ '@id': purl })) });
    const json: JsonObject = JSON.parse(JSON.stringify(many));
    expect(readVex(json)).toEqual({ kind: 'refused', reason: 'too_many_statements' });
    expect(readVex({})).toEqual({ kind: 'refused', reason: 'unknown_format' });
  });
});

it('decisions with the same packages and reason become one, up to a number of names', () => {
  const statements = [1, 2, 3].flatMap((n) =>
    statementsIn(openVex({ vulnerability: { name: `CVE-2024-000${n}` }, status: 'not_affected' })),
  );
  const { decisions } = planWaivers(statements, place);
  expect(joinDecisions(decisions, 2).map(({ names }) => names)).toEqual([
    ['CVE-2024-0001', 'CVE-2024-0002'],
    ['CVE-2024-0003'],
  ]);
});
