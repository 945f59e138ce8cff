import { productVersion } from '@plimsoll/process';
import type { CveStatus } from './cve-statuses.ts';

/** What a VEX document says besides its statements. */
export interface VexMetadata {
  /** A URN. */
  readonly id: string;
  /** What the document is about: the name of a host, or hosts in words. */
  readonly subject: string;
  /** ISO 8601. */
  readonly at: string;
  /** What limits the knowledge, as sentences. */
  readonly limits: readonly string[];
}

/** The product that a host is in VEX documents of Plimsoll; an import finds the host by it. */
export function hostUrn(hostId: string): string {
  return `urn:uuid:${hostId}`;
}

/** Statuses of packages of hosts as OpenVEX 0.2.0. */
export function openVexOf(statuses: readonly CveStatus[], { id, at }: Pick<VexMetadata, 'id' | 'at'>) {
  return {
    '@context': 'https://openvex.dev/ns/v0.2.0',
    '@id': id,
    author: 'Plimsoll',
    role: 'Document Creator',
    timestamp: at,
    version: 1,
    tooling: `Plimsoll ${productVersion}`,
    statements: statuses.map((said) => ({
      vulnerability: { name: said.id },
      products: said.products.map(({ host, components }) => ({
        '@id': hostUrn(host.id),
        subcomponents: components.map(({ name, purl }) =>
          purl === undefined
            ? { '@id': `urn:plimsoll:package:${encodeURIComponent(name)}` }
            : { '@id': purl, identifiers: { purl } },
        ),
      })),
      status: said.status,
      ...(said.status === 'not_affected' && {
        ...(said.isMitigated && { justification: 'inline_mitigations_already_exist' }),
        impact_statement: said.detail,
      }),
      ...(said.status === 'affected' && { action_statement: said.recommendation ?? said.detail }),
      ...(said.detail !== '' && { status_notes: said.detail }),
    })),
  };
}
