import type { Sbom, SbomVulnerability } from '@plimsoll/contract';
import type { ReadHandler } from '../read-operation.ts';
import { loadHostSbom } from './host-sbom.ts';
import { VexContent, type VexHost } from './vex-content.ts';
import { inPieces, requireStatements, vexDocument } from './vex-document.ts';

/** GET /hosts/{id}/vex */
export const getHostVex: ReadHandler<'getHostVex'> = async (request, services) => {
  const { params, query, caller, origin } = request;
  const { sbom, headers } = await loadHostSbom(caller.scope, params.id, services);
  const { format } = query;
  const fileName = `plimsoll-vex-${params.id}.${format}.json`;
  const answer = {
    status: 200,
    headers: { ...headers, 'Content-Disposition': `attachment; filename="${fileName}"` },
  } as const;
  if (format === 'cyclonedx') return { kind: 'json', ...answer, body: { ...sbom } };
  return { kind: 'document', ...answer, pieces: inPieces(documentOf(sbom, params.id, format, origin)) };
};

function documentOf(sbom: Sbom, hostId: string, format: 'openvex' | 'csaf', origin: string) {
  const { component, timestamp, properties } = sbom.metadata;
  const content = contentOf({ id: hostId, name: component.name }, sbom);
  requireStatements(content);
  const valuesOf = (wanted: string) =>
    properties.flatMap(({ name, value }) => (name === wanted ? [value] : []));
  const gaps = valuesOf('plimsoll:gap');
  return vexDocument(content, {
    format,
    origin,
    metadata: {
      id: sbom.serialNumber,
      subject: component.name,
      at: timestamp,
      limits: [
        ...valuesOf('plimsoll:retired_at').map(
          (at) => `The host was retired at ${at}: the document is about its last report.`,
        ),
        ...(gaps.length === 0 ? [] : [`Not everything of this host is known: ${gaps.join(', ')}.`]),
      ],
    },
  });
}

/** What the SBOM of a host says of its packages. */
function contentOf(host: VexHost, { components, vulnerabilities }: Sbom): VexContent {
  const said = new Map<string, SbomVulnerability[]>();
  for (const one of vulnerabilities)
    for (const { ref } of one.affects) {
      const own = said.get(ref);
      if (own === undefined) said.set(ref, [one]);
      else own.push(one);
    }
  const content = new VexContent([host]);
  const packages = components.flatMap((component) => {
    const ref = component['bom-ref'];
    const own = said.get(ref);
    return own === undefined
      ? []
      : [content.numberOf(ref, () => ({ component, versions: [], said: own.map(saidOf) }))];
  });
  content.add([host.id], packages);
  return content;
}

function saidOf({ 'bom-ref': _, affects: __, ...said }: SbomVulnerability) {
  return said;
}
