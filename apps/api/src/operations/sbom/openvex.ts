import type { SbomComponent } from '@plimsoll/contract';
import { productVersion } from '@plimsoll/model';
import type { VexContent } from './vex-content.ts';
import { hostUrn, type VexMetadata } from './vex-metadata.ts';
import { statementsOf, type VexStatement } from './vex-statements.ts';

/** What is said of packages of hosts as OpenVEX 0.2.0. */
export function* openVexOf(
  content: VexContent,
  { id, at, limits }: Pick<VexMetadata, 'id' | 'at' | 'limits'>,
): Iterable<string> {
  const head = {
    '@context': 'https://openvex.dev/ns/v0.2.0',
    '@id': id,
    author: 'Plimsoll',
    role: 'Document Creator',
    timestamp: at,
    version: 1,
    // The format has no other text about the whole document.
    tooling: [`Plimsoll ${productVersion}.`, ...limits].join(' '),
  };
  const subcomponents = content.packages.map(({ component }) => JSON.stringify(subcomponentOf(component)));
  yield `${JSON.stringify(head).slice(0, -1)},"statements":[`;
  let comma = '';
  for (const said of statementsOf(content)) {
    yield `${comma}{"vulnerability":${JSON.stringify({ name: said.id })},"products":[`;
    comma = '';
    for (const { host, packages } of content.hostsWith(said.packages)) {
      const named = packages.map((n) => subcomponents[n]).join(',');
      yield `${comma}{"@id":"${hostUrn(host.id)}","subcomponents":[${named}]}`;
      comma = ',';
    }
    yield `],${JSON.stringify(endOf(said)).slice(1)}`;
    comma = ',';
  }
  yield ']}';
}

function subcomponentOf({ name, purl }: SbomComponent) {
  return purl === undefined
    ? { '@id': `urn:plimsoll:package:${encodeURIComponent(name)}` }
    : { '@id': purl, identifiers: { purl } };
}

function endOf({ status, isMitigated, detail, recommendation }: VexStatement) {
  return {
    status,
    ...(status === 'not_affected' && {
      ...(isMitigated && { justification: 'inline_mitigations_already_exist' }),
      impact_statement: detail,
    }),
    ...(status === 'affected' && { action_statement: recommendation ?? detail }),
    ...(detail !== '' && { status_notes: detail }),
  };
}
