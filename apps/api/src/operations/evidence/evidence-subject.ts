import type { EvidenceQuery } from '@plimsoll/contract';
import type { EvidencePeriod } from '@plimsoll/db';
import { AppError, type HostId, type HostScope, hostCount } from '@plimsoll/model';
import { validationFailed } from '../../http/request-fields.ts';
import type { ApiStores } from '../../stores.ts';
import { tagListsOf } from '../fleet/tag-lists.ts';
import { findHost } from '../hosts/find-host.ts';

/** What a pack is about. */
export interface EvidenceSubject {
  readonly kind: 'host' | 'cve' | 'tag';
  /** The id of the host or CVE, or the tag. */
  readonly value: string;
  /** The same for the name of the file: of a host its display name. */
  readonly name: string;
  readonly words: string;
  /** Its hosts when the pack was begun, by display name. */
  readonly hosts: readonly HostId[];
  /** The only CVE whose findings are in the pack; null: all. */
  readonly cve: string | null;
  /** Whether hosts that were retired before the period are left out. */
  readonly skipsRetired: boolean;
  /** What of it the pack cannot show, as sentences. */
  readonly limits: readonly string[];
}

type Stores = Pick<ApiStores, 'hosts' | 'evidence'>;

/**
 * The hosts that a query is about. Throws `validation_failed` unless it names exactly one of host, CVE and tag; `not_found`
 * for a host or tag that no host of the scope has.
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
  return cve === undefined ? ofTag(stores, scope, tag ?? '') : ofCve(stores, scope, cve, period);
}

async function ofHost({ hosts }: Stores, scope: HostScope, id: string): Promise<EvidenceSubject> {
  const host = await findHost(hosts, scope, id);
  return {
    kind: 'host',
    value: id,
    name: host.displayName,
    words: `host ${host.displayName}`,
    hosts: [host.id],
    cve: null,
    skipsRetired: false,
    limits: [],
  };
}

async function ofTag({ hosts }: Stores, scope: HostScope, tag: string): Promise<EvidenceSubject> {
  const all = Number.MAX_SAFE_INTEGER;
  const [approved, pending, retired] = await Promise.all([
    hosts.select(scope, { tag, approvalStatus: 'approved' }, all),
    hosts.select(scope, { tag, approvalStatus: 'pending' }, 0),
    hosts.select(scope, { tag, retired: true }, all),
  ]);
  if (approved.total + pending.total + retired.total === 0)
    throw new AppError('not_found', 'No host has this tag.');
  return {
    kind: 'tag',
    value: tag,
    name: tag,
    words: `hosts with the tag “${tag}”`,
    hosts: [...approved.ids, ...retired.ids],
    cve: null,
    skipsRetired: true,
    limits: [
      'Hosts belong to the pack by the tags that they have now. Hosts that had the tag in the period and lost it are not in it, and hosts that got it later are.',
      ...(pending.total > 0
        ? [`Not in the pack: ${hostCount(pending.total)} with the tag, waiting for approval.`]
        : []),
    ],
  };
}

async function ofCve(
  { evidence }: Stores,
  scope: HostScope,
  cve: string,
  period: EvidencePeriod,
): Promise<EvidenceSubject> {
  return {
    kind: 'cve',
    value: cve,
    name: cve,
    words: cve,
    hosts: await evidence.exposedTo(cve, period, tagListsOf(scope, undefined)),
    cve,
    skipsRetired: false,
    limits: [
      'hosts.csv has the approved hosts that were exposed to the CVE in the period; cve-hosts.csv has the state of every approved host when the pack was made. A host that is in neither as exposed was not known to be exposed, which is not the same as not exposed.',
      'Retired hosts are not in it.',
    ],
  };
}
