import { type EvidenceQuery, mostEvidenceHosts } from '@plimsoll/contract';
import type { EvidencePeriod, HostEvidence, ListedOverview } from '@plimsoll/db';
import { AppError, type HostId, type HostScope, hostCount } from '@plimsoll/model';
import { validationFailed } from '../../http/request-fields.ts';
import type { ApiStores } from '../../stores.ts';
import { tagListsOf } from '../fleet/tag-lists.ts';
import { findHost } from '../hosts/find-host.ts';

/** What a pack is about, with its hosts by display name. */
export interface EvidenceSubject {
  readonly kind: 'host' | 'cve' | 'tag';
  /** The id of the host or CVE, or the tag. */
  readonly value: string;
  readonly words: string;
  readonly hosts: readonly ListedOverview[];
  /** The evidence of hosts that is read already. */
  readonly read: ReadonlyMap<HostId, HostEvidence> | null;
  /** What of it the pack cannot show, as sentences. */
  readonly limits: readonly string[];
}

type Stores = Pick<ApiStores, 'hosts' | 'evidence'>;

/**
 * The hosts that a query is about. Throws `validation_failed` unless it names exactly one of host, CVE and tag, and for too
 * many hosts; `not_found` for a host or tag that no host of the scope has.
 */
export async function evidenceSubject(
  stores: Stores,
  scope: HostScope,
  query: Pick<EvidenceQuery, 'host' | 'cve' | 'tag'>,
  period: EvidencePeriod,
): Promise<EvidenceSubject> {
  const { host, cve, tag } = query;
  const named = [host, cve, tag].filter((value) => value !== undefined);
  if (named.length !== 1)
    throw validationFailed([{ pointer: '/host', detail: 'give exactly one of host, cve and tag' }]);
  if (host !== undefined) return ofHost(stores, scope, host);
  return cve === undefined ? ofTag(stores, scope, tag ?? '', period) : ofCve(stores, scope, cve, period);
}

async function ofHost({ hosts }: Stores, scope: HostScope, id: string): Promise<EvidenceSubject> {
  const host = await findHost(hosts, scope, id);
  return {
    kind: 'host',
    value: id,
    words: `host ${host.displayName}`,
    hosts: [host],
    read: null,
    limits: [],
  };
}

async function ofTag(
  { hosts }: Stores,
  scope: HostScope,
  tag: string,
  { from }: EvidencePeriod,
): Promise<EvidenceSubject> {
  const sort = { column: 'displayName', descending: false } as const;
  const page = { scope, sort, limit: mostEvidenceHosts + 1, after: null };
  const [inService, retired] = await Promise.all([
    hosts.list({ ...page, filters: { tag } }),
    hosts.list({ ...page, filters: { tag, retired: true } }),
  ]);
  const total = inService.total + retired.total;
  if (total === 0) throw new AppError('not_found', 'No host has this tag.');
  if (total > mostEvidenceHosts) throw tooMany(total);
  const pending = inService.hosts.filter(({ approvalStatus }) => approvalStatus === 'pending');
  const earlier = retired.hosts.filter(({ retiredAt }) => retiredAt !== null && retiredAt < from);
  const left = new Set([...pending, ...earlier].map(({ id }) => id));
  return {
    kind: 'tag',
    value: tag,
    words: `hosts with the tag “${tag}”`,
    hosts: [...inService.hosts, ...retired.hosts].filter(({ id }) => !left.has(id)),
    read: null,
    limits: [
      'Hosts belong to the pack by the tags that they have now. Hosts that had the tag in the period and lost it are not in it, and hosts that got it later are.',
      ...(pending.length > 0
        ? [`Not in the pack: ${hostCount(pending.length)} with the tag, waiting for approval.`]
        : []),
      ...(earlier.length > 0
        ? [`Not in the pack: ${hostCount(earlier.length)} with the tag, retired before the period.`]
        : []),
    ],
  };
}

/** Most exposures to a CVE that are read at once. */
const mostExposures = 2_000;

async function ofCve(
  { hosts, evidence }: Stores,
  scope: HostScope,
  cve: string,
  period: EvidencePeriod,
): Promise<EvidenceSubject> {
  const tags = tagListsOf(scope, undefined);
  const { total, byHost } = await evidence.ofCve(cve, period, { limit: mostExposures, tags });
  if (total > mostExposures)
    throw new AppError(
      'validation_failed',
      `The CVE has ${total} findings in the period; a pack about a CVE can have ${mostExposures}. Choose a shorter period, or a tag or host.`,
    );
  if (byHost.size > mostEvidenceHosts) throw tooMany(byHost.size);
  const found = await Promise.all([...byHost.keys()].map((id) => hosts.find(scope, id)));
  return {
    kind: 'cve',
    value: cve,
    words: `${cve}`,
    hosts: found.filter((host) => host !== null).sort((a, b) => (a.displayName < b.displayName ? -1 : 1)),
    read: byHost,
    limits: [
      'hosts.csv has the approved hosts that were exposed to the CVE in the period; cve-hosts.csv has the state of every approved host when the pack was made. A host that is in neither as exposed was not known to be exposed, which is not the same as not exposed.',
      'Retired hosts are not in it.',
    ],
  };
}

function tooMany(hosts: number): AppError {
  return new AppError(
    'validation_failed',
    `This would be a pack of ${hosts} hosts; it can have ${mostEvidenceHosts}. Choose a smaller tag, or single hosts.`,
  );
}
