import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { mostVexHosts, type Operations } from '@plimsoll/contract';
import type { ListedOverview } from '@plimsoll/db';
import { AppError, findingGaps, gapsOfBits, type HostScope } from '@plimsoll/model';
import { plainName } from '../../http/csv-answer.ts';
import { headerOf } from '../hosts/find-host.ts';
import type { ReadHandler, ReadServices } from '../read-operation.ts';
import { CveStatuses } from './cve-statuses.ts';
import { FleetVulnerabilities } from './cyclonedx-vex.ts';
import { loadSbomContent, serialNumberOf } from './host-sbom.ts';
import type { VexMetadata } from './openvex.ts';
import { vexDocument } from './vex-document.ts';

/** Most packages of hosts in a document, each under each of its vulnerabilities: about 100 MB. */
const mostEntries = 200_000;

/** GET /vex */
export const getFleetVex: ReadHandler<Operations['getFleetVex']> = async (request, services) => {
  const { query, caller, signal, origin } = request;
  const { format, tag } = query;
  const cve = query.cve ?? null;
  const { hosts, unknown } = await hostsOf(services, caller.scope, { tag, cve });
  const found = format === 'cyclonedx' ? new FleetVulnerabilities(cve) : new CveStatuses(cve);
  const digest = createHash('sha256');
  for (const host of hosts) {
    if (signal.aborted) throw new AppError('unavailable', 'The client has disconnected.');
    const content = await contentOf(host, services);
    if (content !== null) {
      const product = { id: host.id, name: host.displayName };
      found.add(product, content);
      digest.update(JSON.stringify([product, content.components, content.vulnerabilities]));
    }
    if (found.size > mostEntries) throw tooLarge();
    await nextTurn();
  }
  const gaps = new Set(hosts.flatMap((host) => gapsOfBits(host.gaps)));
  const hides: ReadonlySet<string> = new Set<string>(findingGaps);
  const metadata = metadataOf({
    who: hostsInWords(caller.scope, tag),
    tag,
    cve,
    unknown,
    at: services.clock(),
    gaps,
    digest: digest.digest('hex'),
  });
  const body =
    found instanceof FleetVulnerabilities
      ? found.document(metadata, {
          isWhole: unknown === 0 && ![...gaps].some((gap) => hides.has(gap)),
          properties: [
            { name: 'plimsoll:unknown_hosts', value: String(unknown) },
            ...[...gaps].map((value) => ({ name: 'plimsoll:gap', value })),
          ],
        })
      : vexDocument(found.all(), { format: format === 'csaf' ? 'csaf' : 'openvex', origin, metadata });
  const about = plainName(
    ['fleet', tag, cve].filter((part) => part !== undefined && part !== null).join('-'),
  );
  return {
    kind: 'json',
    status: 200,
    headers: {
      ...headerOf(gaps),
      'Plimsoll-Unknown-Hosts': String(unknown),
      'Content-Disposition': `attachment; filename="plimsoll-vex-${about}.${format}.json"`,
    },
    body,
  };
};

interface Asked {
  readonly tag: string | undefined;
  readonly cve: string | null;
}

/** The approved hosts that a document is about, by display name, and of how many not all is known. */
async function hostsOf(
  { stores }: ReadServices,
  scope: HostScope,
  { tag, cve }: Asked,
): Promise<{ readonly hosts: readonly ListedOverview[]; readonly unknown: number }> {
  const sort = { column: 'displayName', descending: false } as const;
  const filters = { approvalStatus: 'approved', ...(tag === undefined ? {} : { tag }) } as const;
  const list = (limit: number, more: object = {}) =>
    stores.hosts.list({ scope, sort, limit, after: null, filters: { ...filters, ...more } });
  const [{ hosts, total }, { total: unknown }] = await Promise.all([
    list(cve === null ? mostVexHosts : 1),
    list(1, { findingsKnown: false }),
  ]);
  if (tag !== undefined && total === 0) throw new AppError('not_found', 'No approved host has this tag.');
  if (cve === null) {
    if (total > mostVexHosts) throw tooMany(total);
    return { hosts, unknown };
  }
  const ids: string[] = [];
  for await (const page of stores.cveHosts.stream(scope, cve, 'affected')) {
    for (const { listed } of page.hosts)
      if (tag === undefined || listed.tags.includes(tag)) ids.push(listed.id);
    if (ids.length > mostVexHosts) throw tooMany(tag === undefined ? page.totals.affected : null);
  }
  return { hosts: ids.length === 0 ? [] : (await list(mostVexHosts, { ids })).hosts, unknown };
}

/** Null if the host has no report, or was deleted meanwhile. */
async function contentOf({ id }: ListedOverview, services: ReadServices) {
  try {
    return await loadSbomContent(id, services);
  } catch (error) {
    if (error instanceof AppError && error.code === 'no_snapshot') return null;
    throw error;
  }
}

/** The hosts that a reader can ask for. */
function hostsInWords(scope: HostScope, tag: string | undefined): string {
  const tags = [
    ...(tag === undefined ? [] : [`the tag “${tag}”`]),
    ...(scope.kind === 'tagged' ? [`one of the tags ${scope.tags.join(', ')}`] : []),
  ];
  return tags.length === 0 ? 'all approved hosts' : `the approved hosts with ${tags.join(' and ')}`;
}

function metadataOf({
  who,
  tag,
  cve,
  unknown,
  at,
  gaps,
  digest,
}: Asked & {
  readonly who: string;
  readonly unknown: number;
  readonly at: Date;
  readonly gaps: ReadonlySet<string>;
  /** Of what is known of the hosts. */
  readonly digest: string;
}): VexMetadata {
  return {
    id: serialNumberOf({ who, tag, cve, unknown, digest }),
    subject: cve === null ? who : `${cve} on ${who}`,
    at: at.toISOString(),
    limits: [
      ...(unknown === 0 ? [] : [`Of ${unknown} of ${who} not all findings are known.`]),
      ...(gaps.size === 0
        ? []
        : [
            `Not everything is known of each host that this document is about: ${[...gaps].sort().join(', ')}.`,
          ]),
    ],
  };
}

/** @param hosts null: not counted. */
function tooMany(hosts: number | null): AppError {
  const words = hosts === null ? `more than ${mostVexHosts}` : String(hosts);
  return new AppError(
    'validation_failed',
    `This would be a document about ${words} hosts; it can be about ${mostVexHosts}. Choose a tag with fewer hosts, or a CVE.`,
  );
}

function tooLarge(): AppError {
  return new AppError(
    'validation_failed',
    `This would be a document of more than ${mostEntries} packages under vulnerabilities. Choose a tag with fewer hosts, or a CVE.`,
  );
}
