import { setTimeout as passed } from 'node:timers/promises';
import { AppError, findingGaps, type Gap, gapsOfBits, type HostId, type HostScope } from '@plimsoll/model';
import { plainName } from '../../http/csv-answer.ts';
import { headerOf } from '../hosts/find-host.ts';
import type { ReadHandler, ReadServices } from '../read-operation.ts';
import { fleetVulnerabilities } from './cyclonedx-vex.ts';
import { gatherVex } from './gather-vex.ts';
import { serialNumberOf } from './host-sbom.ts';
import type { VexContent, VexHost } from './vex-content.ts';
import { inPieces, requireStatements, vexDocument } from './vex-document.ts';
import type { VexMetadata } from './vex-metadata.ts';

/**
 * GET /vex. Answers when the first package is found, or all hosts are read without one; until the document begins, line
 * breaks are sent, so that no proxy gives up.
 */
export const getFleetVex: ReadHandler<'getFleetVex'> = async (request, services) => {
  const { query, caller, signal, origin } = request;
  const { format, tag } = query;
  const cve = query.cve ?? null;
  const { hosts, gaps, unknown } = await hostsOf(services, caller.scope, { tag, cve });
  let onFound = (): void => undefined;
  const found = new Promise<null>((resolve) => {
    onFound = () => resolve(null);
  });
  const gathering = gatherVex(services.stores, hosts, { cve, signal, onFound });
  const early = await Promise.race([found, gathering]);
  if (early !== null && format !== 'cyclonedx') requireStatements(early);
  // Its error is that of the pieces, if they are read.
  gathering.catch(() => undefined);
  const who = hostsInWords(caller.scope, tag);
  const at = services.clock();
  const isWhole = unknown === 0 && ![...gaps].some((gap) => findingGaps.some((one) => one === gap));
  const write = (content: VexContent): Iterable<string> => {
    const digest = content.digest();
    const metadata = metadataOf({ who, tag, cve, unknown, at, gaps, digest });
    if (format !== 'cyclonedx') return vexDocument(content, { format, origin, metadata });
    const properties = [
      { name: 'plimsoll:unknown_hosts', value: String(unknown) },
      ...[...gaps].map((value) => ({ name: 'plimsoll:gap', value })),
    ];
    return fleetVulnerabilities(content, metadata, { isWhole, properties });
  };
  const about = plainName(
    ['fleet', tag, cve].filter((part) => part !== undefined && part !== null).join('-'),
  );
  return {
    kind: 'document',
    status: 200,
    headers: {
      ...headerOf(gaps),
      'Plimsoll-Unknown-Hosts': String(unknown),
      'Content-Disposition': `attachment; filename="plimsoll-vex-${about}.${format}.json"`,
    },
    pieces: documentOf(gathering, write),
  };
};

/** Milliseconds between two line breaks that are sent while hosts are read. */
const signOfLifeMs = 5_000;

/** White space may stand before a JSON text (RFC 8259). */
async function* documentOf(
  gathering: Promise<VexContent>,
  write: (content: VexContent) => Iterable<string>,
): AsyncGenerator<string> {
  for (;;) {
    const timer = new AbortController();
    const content = await Promise.race([
      gathering,
      passed(signOfLifeMs, null, { signal: timer.signal }).catch(() => null),
    ]).finally(() => timer.abort());
    if (content !== null) return yield* inPieces(write(content));
    yield '\n';
  }
}

interface Asked {
  readonly tag: string | undefined;
  readonly cve: string | null;
}

/** The approved hosts that a document is about, by display name, and of how many not all is known. */
async function hostsOf(
  { stores }: ReadServices,
  scope: HostScope,
  { tag, cve }: Asked,
): Promise<{
  readonly hosts: readonly (VexHost & { readonly id: HostId })[];
  readonly gaps: ReadonlySet<Gap>;
  readonly unknown: number;
}> {
  const sort = { column: 'displayName', descending: false } as const;
  const filters = { approvalStatus: 'approved', ...(tag === undefined ? {} : { tag }) } as const;
  const unknown = await stores.hosts.list({
    scope,
    sort,
    limit: 1,
    after: null,
    filters: { ...filters, findingsKnown: false },
  });
  const affected = cve === null ? null : await affectedBy(stores, scope, cve);
  const { total, pages } = await stores.hosts.stream(scope, filters, sort);
  if (tag !== undefined && total === 0) throw new AppError('not_found', 'No approved host has this tag.');
  const hosts: (VexHost & { readonly id: HostId })[] = [];
  const gaps = new Set<Gap>();
  for await (const page of pages)
    for (const { id, displayName, gaps: bits } of page) {
      if (affected !== null && !affected.has(id)) continue;
      hosts.push({ id, name: displayName });
      for (const gap of gapsOfBits(bits)) gaps.add(gap);
    }
  return { hosts, gaps, unknown: unknown.total };
}

async function affectedBy(
  { cveHosts }: Pick<ReadServices['stores'], 'cveHosts'>,
  scope: HostScope,
  cve: string,
): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  for await (const page of cveHosts.stream(scope, cve, { state: 'affected', release: null }))
    for (const { listed } of page) ids.add(listed.id);
  return ids;
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
