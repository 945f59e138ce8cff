import { createHash } from 'node:crypto';
import { selectFindings } from '@plimsoll/advisories';
import { cycloneDxType, type Sbom, type SbomComponent } from '@plimsoll/contract';
import type { HostOverview, HostToAssess, InstalledVersion } from '@plimsoll/db';
import {
  AppError,
  findingGaps,
  gapsOfBits,
  type HostScope,
  type PackageVersionId,
  productVersion,
} from '@plimsoll/model';
import { findHost, gapsHeader, type LoadedAssessment, loadAssessment } from '../hosts/find-host.ts';
import { judgedVersion } from '../packages/finding-background.ts';
import type { ReadHandler, ReadServices } from '../read-operation.ts';
import { packageComponent } from './package-component.ts';
import { sbomVulnerabilities } from './vulnerabilities.ts';

/** GET /hosts/{id}/sbom */
export const getHostSbom: ReadHandler<'getHostSbom'> = async (request, services) => {
  const { params, caller, accepts } = request;
  const { sbom: body, headers: gaps } = await loadHostSbom(caller.scope, params.id, services);
  const fileName = `plimsoll-sbom-${params.id}.cdx.json`;
  const headers = {
    ...gaps,
    Vary: 'Accept',
    'Content-Disposition': `attachment; filename="${fileName}"`,
  };
  if (accepts(['application/json', cycloneDxType]) === cycloneDxType) {
    const bytes = Buffer.from(JSON.stringify(body));
    return { kind: 'bytes', status: 200, headers, type: cycloneDxType, bytes };
  }
  return { kind: 'json', status: 200, headers, body };
};

/** The SBOM of a host, with the header of its gaps. Throws `not_found` and `no_snapshot`. */
export async function loadHostSbom(
  scope: HostScope,
  id: string,
  services: ReadServices,
): Promise<{ readonly sbom: Sbom; readonly headers: ReturnType<typeof gapsHeader> }> {
  const overview = await findHost(services.stores.hosts, scope, id);
  const content = await loadSbomContent(id, services);
  const sbom = documentOf({ overview, ...content, at: services.clock() });
  return { sbom, headers: gapsHeader(overview) };
}

/** What the SBOM of a host lists. */
export interface SbomContent {
  readonly assessed: LoadedAssessment;
  readonly components: SbomComponent[];
  readonly vulnerabilities: Sbom['vulnerabilities'];
}

/** What the SBOM of a host lists. Throws `no_snapshot`. */
export async function loadSbomContent(
  id: string,
  { stores }: Pick<ReadServices, 'stores'>,
): Promise<SbomContent> {
  const assessed = await loadAssessment(stores.assessments, id);
  if (assessed === null)
    throw new AppError('no_snapshot', 'The host has no report yet: its packages are not known.');
  const { host, assessment } = assessed;
  const findings = selectFindings(assessment.findings, {
    includeUnfixed: true,
    includeHidden: true,
    includeWaived: true,
  });
  const statements = findings.flatMap(({ advisories }) => advisories.map(({ statement }) => statement));
  const [details, cveFacts] = await Promise.all([
    stores.assessments.describe(host, [...new Set(statements.map(({ advisory }) => advisory))]),
    stores.assessments.cveFacts(host, [...new Set(statements.flatMap(({ cves }) => cves))]),
  ]);
  const { components, refs } = componentsOf(host);
  const vulnerabilities = sbomVulnerabilities(findings, {
    feed: host.feed?.id ?? 'none',
    details,
    cveFacts,
    refOf: (finding) => refs.get(judgedVersion(finding, host)) ?? null,
  });
  return { assessed, components, vulnerabilities };
}

/** The system and the packages, and the bom-ref of each package version. */
function componentsOf(host: HostToAssess): {
  readonly components: SbomComponent[];
  readonly refs: ReadonlyMap<PackageVersionId, string>;
} {
  const { osId, osVersion, osPrettyName } = host.facts.platform;
  const components: SbomComponent[] = [
    {
      type: 'operating-system',
      'bom-ref': 'system',
      name: osId === '' ? 'unknown' : osId,
      ...(osVersion === '' ? {} : { version: osVersion }),
      ...(osPrettyName === '' ? {} : { properties: [{ name: 'plimsoll:pretty_name', value: osPrettyName }] }),
    },
  ];
  const refs = new Map<PackageVersionId, string>();
  const times = new Map<string, number>();
  const add = (installed: InstalledVersion, isInstalled: boolean): void => {
    const { version, held } = installed;
    const component = packageComponent({ version, held, isInstalled }, host.facts.platform);
    const base = component['bom-ref'];
    const time = (times.get(base) ?? 0) + 1;
    times.set(base, time);
    const ref = time === 1 ? base : `${base}#${time}`;
    refs.set(installed.version.id, ref);
    components.push({ ...component, 'bom-ref': ref });
  };
  for (const installed of host.packages) add(installed, true);
  const running = host.runningKernel;
  if (running !== null && !refs.has(running.version.id)) add(running, false);
  return { components, refs };
}

function documentOf({
  overview,
  assessed: { host },
  components,
  vulnerabilities,
  at,
}: {
  readonly overview: HostOverview;
  readonly at: Date;
} & SbomContent): Sbom {
  const gaps = gapsOfBits(overview.gaps);
  const hides: ReadonlySet<string> = new Set<string>(findingGaps);
  // Nothing of a retired host is expected to be current.
  const isWhole = overview.retiredAt === null && !gaps.some((gap) => hides.has(gap));
  const properties = [
    ...gaps.map((gap) => ({ name: 'plimsoll:gap', value: gap })),
    ...(overview.retiredAt === null
      ? []
      : [{ name: 'plimsoll:retired_at', value: overview.retiredAt.toISOString() }]),
    { name: 'plimsoll:coverage', value: overview.coverage },
    { name: 'plimsoll:status', value: overview.status },
    { name: 'plimsoll:feed', value: host.feed?.id ?? 'none' },
    { name: 'plimsoll:feed_updated_at', value: host.feed?.updatedAt?.toISOString() ?? 'unknown' },
    { name: 'plimsoll:snapshot_id', value: host.snapshotId },
    {
      name: 'plimsoll:snapshot_collected_at',
      value: overview.snapshotCollectedAt?.toISOString() ?? 'unknown',
    },
  ];
  const device: SbomComponent = {
    type: 'device',
    'bom-ref': 'host',
    name: overview.displayName,
    properties: [
      { name: 'plimsoll:host_id', value: overview.id },
      { name: 'plimsoll:hostname', value: overview.hostname },
      { name: 'plimsoll:architecture', value: overview.architecture },
    ],
  };
  const tools = { components: [{ type: 'application' as const, name: 'Plimsoll', version: productVersion }] };
  const content = { components, vulnerabilities };
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: serialNumberOf({ ...content, device, properties }),
    version: 1,
    metadata: { timestamp: at.toISOString(), tools, component: device, properties },
    ...content,
    compositions: [
      { aggregate: 'complete', assemblies: ['host'] },
      {
        aggregate: isWhole ? 'complete' : 'incomplete',
        vulnerabilities: vulnerabilities.map((each) => each['bom-ref']),
      },
    ],
  };
}

/** A UUID of version 8 (RFC 9562) that is equal for equal content. */
export function serialNumberOf(content: object): string {
  const hash = createHash('sha256').update(JSON.stringify(content)).digest('hex');
  const uuid = `${hash.slice(0, 8)}-${hash.slice(8, 12)}-8${hash.slice(13, 16)}-8${hash.slice(17, 20)}-${hash.slice(20, 32)}`;
  return `urn:uuid:${uuid}`;
}
