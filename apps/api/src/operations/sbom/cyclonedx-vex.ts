import { productVersion } from '@plimsoll/model';
import type { VexContent, VexHost } from './vex-content.ts';
import type { VexMetadata } from './vex-metadata.ts';

/**
 * What is said of packages of hosts as CycloneDX 1.6: the hosts as devices with those of their packages that vulnerabilities
 * name. Equal vulnerabilities are said once, with the packages of all hosts.
 */
export function* fleetVulnerabilities(
  content: VexContent,
  { id, subject, at, limits }: VexMetadata,
  {
    isWhole,
    properties,
  }: { readonly isWhole: boolean; readonly properties: readonly { name: string; value: string }[] },
): Iterable<string> {
  const head = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: id,
    version: 1,
    metadata: {
      timestamp: at,
      tools: { components: [{ type: 'application', name: 'Plimsoll', version: productVersion }] },
      component: { type: 'platform', 'bom-ref': 'fleet', name: subject },
      properties: [...properties, ...limits.map((value) => ({ name: 'plimsoll:limit', value }))],
    },
  };
  yield `${JSON.stringify(head).slice(0, -1)},"components":[`;
  yield* devicesOf(content);
  yield '],"vulnerabilities":[';
  yield* vulnerabilitiesIn(content);
  const composition = {
    aggregate: isWhole ? 'complete' : 'incomplete',
    vulnerabilities: content.vulnerabilities.map((_, n) => refOf(n)),
  };
  yield `],"compositions":[${JSON.stringify(composition)}]}`;
}

function* devicesOf(content: VexContent): Iterable<string> {
  // The bom-ref of a component differs on each host.
  const rests = content.packages.map(({ component: { type, 'bom-ref': _, ...rest } }) =>
    JSON.stringify({ type, ...rest }).slice(1),
  );
  let comma = '';
  for (const { host, packages } of content.hosts()) {
    const device = {
      type: 'device',
      'bom-ref': `host ${host.id}`,
      name: host.name,
      properties: [{ name: 'plimsoll:host_id', value: host.id }],
    };
    const components = packages.map(
      (n) => `{"bom-ref":${JSON.stringify(refOn(host, content, n))},${rests[n]}`,
    );
    yield `${comma}${JSON.stringify(device).slice(0, -1)},"components":[${components.join(',')}]}`;
    comma = ',';
  }
}

function* vulnerabilitiesIn(content: VexContent): Iterable<string> {
  const packagesUnder = content.vulnerabilities.map((): number[] => []);
  for (const [number, { vulnerabilities }] of content.packages.entries())
    for (const n of vulnerabilities) packagesUnder[n]?.push(number);
  const versions = content.packages.map((each) => JSON.stringify(each.versions));
  let comma = '';
  for (const [n, { properties: _, ...said }] of content.vulnerabilities.entries()) {
    yield `${comma}${JSON.stringify({ 'bom-ref': refOf(n), ...said }).slice(0, -1)},"affects":[`;
    comma = '';
    for (const { host, packages } of content.hostsWith(packagesUnder[n] ?? []))
      for (const number of packages) {
        const ref = JSON.stringify(refOn(host, content, number));
        yield `${comma}{"ref":${ref},"versions":${versions[number]}}`;
        comma = ',';
      }
    yield ']}';
    comma = ',';
  }
}

function refOf(vulnerability: number): string {
  return `vulnerability ${vulnerability + 1}`;
}

/** The reference of a package on a host: references are unique in a document. */
function refOn(host: VexHost, { packages }: VexContent, number: number): string {
  return `${host.id} ${packages[number]?.component['bom-ref']}`;
}
