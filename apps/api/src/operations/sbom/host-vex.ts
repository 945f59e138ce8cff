import type { Operations, Sbom } from '@plimsoll/contract';
import { AppError } from '@plimsoll/model';
import type { ReadHandler } from '../read-operation.ts';
import { csafVexOf } from './csaf-vex.ts';
import { cveStatuses } from './cve-statuses.ts';
import { loadHostSbom } from './host-sbom.ts';
import { openVexOf, type VexMetadata } from './openvex.ts';

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
  const statuses = cveStatuses(sbom);
  // Both formats need a statement; none would also read as "nothing is affected".
  if (statuses.length === 0)
    throw new AppError(
      'conflict',
      'No open vulnerability of the host is known, and the format has no document without statements. The CycloneDX document says what is known.',
    );
  const metadata: VexMetadata = {
    id: sbom.serialNumber,
    hostId,
    hostName: sbom.metadata.component.name,
    at: sbom.metadata.timestamp,
    gaps: sbom.metadata.properties.flatMap(({ name, value }) => (name === 'plimsoll:gap' ? [value] : [])),
  };
  return format === 'openvex' ? openVexOf(statuses, metadata) : csafVexOf(statuses, metadata, origin);
}
