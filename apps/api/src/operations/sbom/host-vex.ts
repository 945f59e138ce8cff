import type { Operations, Sbom } from '@plimsoll/contract';
import type { ReadHandler } from '../read-operation.ts';
import { CveStatuses } from './cve-statuses.ts';
import { loadHostSbom } from './host-sbom.ts';
import { vexDocument } from './vex-document.ts';

/** GET /hosts/{id}/vex */
export const getHostVex: ReadHandler<Operations['getHostVex']> = async (request, services) => {
  const { params, query, caller, origin } = request;
  const { sbom, headers } = await loadHostSbom(caller.scope, params.id, services);
  const { format } = query;
  const fileName = `plimsoll-vex-${params.id}.${format}.json`;
  const body = format === 'cyclonedx' ? { ...sbom } : documentOf(sbom, params.id, format, origin);
  return {
    kind: 'json',
    status: 200,
    headers: { ...headers, 'Content-Disposition': `attachment; filename="${fileName}"` },
    body,
  };
};

function documentOf(sbom: Sbom, hostId: string, format: 'openvex' | 'csaf', origin: string) {
  const { component, timestamp, properties } = sbom.metadata;
  const statuses = new CveStatuses();
  statuses.add({ id: hostId, name: component.name }, sbom);
  const gaps = properties.flatMap(({ name, value }) => (name === 'plimsoll:gap' ? [value] : []));
  return vexDocument(statuses.all(), {
    format,
    origin,
    metadata: {
      id: sbom.serialNumber,
      subject: component.name,
      at: timestamp,
      limits: gaps.length === 0 ? [] : [`Not everything of this host is known: ${gaps.join(', ')}.`],
    },
  });
}
