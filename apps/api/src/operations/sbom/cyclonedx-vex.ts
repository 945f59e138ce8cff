import type { SbomComponent, SbomVulnerability } from '@plimsoll/contract';
import { productVersion } from '@plimsoll/process';
import type { VexHost } from './cve-statuses.ts';
import type { SbomContent } from './host-sbom.ts';
import type { VexMetadata } from './openvex.ts';

type FleetVulnerability = Omit<SbomVulnerability, 'properties'>;

/** The open vulnerabilities of several hosts; equal ones are said once, with the packages of all hosts. */
export class FleetVulnerabilities {
  /** The number of packages of hosts that vulnerabilities name. */
  size = 0;
  readonly #cve: string | null;
  readonly #hosts: { readonly host: VexHost; readonly components: readonly SbomComponent[] }[] = [];
  readonly #found = new Map<string, FleetVulnerability>();

  /** @param cve the only vulnerability that counts; null: all. */
  constructor(cve: string | null) {
    this.#cve = cve;
  }

  /** Adds a host with what its SBOM says of its packages. */
  add(
    host: VexHost,
    { components, vulnerabilities }: Pick<SbomContent, 'components' | 'vulnerabilities'>,
  ): void {
    const named = new Set<string>();
    for (const { 'bom-ref': _, affects, properties: __, ...said } of vulnerabilities) {
      if (this.#cve !== null && said.id !== this.#cve) continue;
      const key = JSON.stringify(said);
      const known = this.#found.get(key) ?? {
        'bom-ref': `vulnerability ${this.#found.size + 1}`,
        ...said,
        affects: [],
      };
      this.#found.set(key, known);
      for (const { ref, versions } of affects) {
        named.add(ref);
        known.affects.push({ ref: refOn(host, ref), versions });
        this.size += 1;
      }
    }
    this.#hosts.push({ host, components: components.filter((one) => named.has(one['bom-ref'])) });
  }

  /** As CycloneDX 1.6: the hosts as devices with those of their packages that are named. */
  document(
    { id, subject, at, limits }: VexMetadata,
    {
      isWhole,
      properties,
    }: { readonly isWhole: boolean; readonly properties: readonly { name: string; value: string }[] },
  ) {
    const vulnerabilities = [...this.#found.values()];
    return {
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
      components: this.#hosts.map(({ host, components }) => ({
        type: 'device',
        'bom-ref': `host ${host.id}`,
        name: host.name,
        properties: [{ name: 'plimsoll:host_id', value: host.id }],
        components: components.map((one) => ({ ...one, 'bom-ref': refOn(host, one['bom-ref']) })),
      })),
      vulnerabilities,
      compositions: [
        {
          aggregate: isWhole ? 'complete' : 'incomplete',
          vulnerabilities: vulnerabilities.map((each) => each['bom-ref']),
        },
      ],
    };
  }
}

/** References are unique in a document. */
function refOn(host: VexHost, ref: string): string {
  return `${host.id} ${ref}`;
}
