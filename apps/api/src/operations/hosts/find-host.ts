import type { Assessment } from '@plimsoll/advisories';
import type { Operation } from '@plimsoll/contract';
import {
  type AssessmentStore,
  assessStoredHost,
  type HostHistory,
  type HostOverview,
  type HostStore,
  type HostToAssess,
  type Known,
  pastGaps,
} from '@plimsoll/db';
import { AppError, type Gap, gapsOfBits, type HistoryResolution, type HostScope } from '@plimsoll/model';
import type { Caller } from '../../auth/authenticate.ts';
import type { AnswerHeaders } from '../../http/answer.ts';

/** The host with an id. Throws `not_found` if it does not exist for the caller. */
export async function findHost(hosts: HostStore, scope: HostScope, id: string): Promise<HostOverview> {
  const host = await hosts.find(scope, id);
  if (host === null) throw hostNotFound();
  return host;
}

/** The error for an unknown host id. */
export function hostNotFound(): AppError {
  return new AppError('not_found', 'No host has this id.');
}

/** Throws `host_retired` for a host that is not in service. */
export function requireInService({ approvalStatus }: Pick<HostOverview, 'approvalStatus'>): void {
  if (approvalStatus === 'retired')
    throw new AppError('host_retired', 'The host is retired. Reinstate it first.');
}

/** The header with the host's gaps, for every answer about its packages and findings. */
export function gapsHeader({ gaps }: Pick<HostOverview, 'gaps'>): AnswerHeaders {
  return headerOf(gapsOfBits(gaps));
}

/** The header for an answer about past times. */
export function headerOf(gaps: Iterable<Gap>): AnswerHeaders {
  return { 'Plimsoll-Gaps': [...new Set(gaps)].sort().join(', ') };
}

function feedGaps({ feed }: HostToAssess): readonly Gap[] {
  if (feed === null) return ['no_feed'];
  if (feed.updatedAt === null) return ['feed_never_synced'];
  return feed.covered ? [] : ['no_feed'];
}

/** A stored host with its assessment. */
export interface LoadedAssessment {
  readonly host: HostToAssess;
  readonly assessment: Assessment;
}

/** Assesses a host by its newest matched snapshot; null if it has none. */
export async function loadAssessment(
  assessments: AssessmentStore,
  hostId: string,
): Promise<LoadedAssessment | null> {
  const host = await assessments.load(hostId);
  return host === null ? null : { host, assessment: assessStoredHost(host) };
}

/** A host at a past time with its assessment. */
export interface PastAssessment extends LoadedAssessment {
  /** Why what is shown may be less than the truth of that time. */
  readonly gaps: ReadonlySet<Gap>;
  readonly resolution: HistoryResolution;
}

/**
 * Assesses the packages installed at a time, by what was known then or by what is known now. Throws `no_snapshot` for a
 * time before the first snapshot.
 */
export async function assessmentAt(
  history: HostHistory,
  overview: HostOverview,
  { at, known }: { readonly at: Date; readonly known: Known },
): Promise<PastAssessment> {
  const then = await history.find(overview.id, { kind: 'at', at }, known);
  if (then === null) {
    throw new AppError(
      'no_snapshot',
      'No report of this host had arrived at that time, so nothing was known of its packages.',
    );
  }
  const { host } = then;
  const assessment = assessStoredHost(host);
  const gaps =
    known === 'then'
      ? pastGaps(then, assessment)
      : new Set<Gap>([...gapsOfBits(overview.gaps), ...feedGaps(host)]);
  return { host, assessment, gaps, resolution: then.resolution };
}

const hostPath = '/api/v1/hosts/{id}';

/**
 * Throws `not_found`, as for an unknown id, if the path names a host that does not exist for the caller. One place for
 * every operation on one host, so that none can forget it.
 */
export async function requireHostInScope(
  { path }: Operation,
  { caller, params }: { readonly caller: Caller; readonly params: unknown },
  hosts: HostStore,
): Promise<void> {
  if (caller === null || !('scope' in caller) || caller.scope.kind === 'whole_fleet') return;
  if (path !== hostPath && !path.startsWith(`${hostPath}/`)) return;
  const { id } = params as { readonly id: string }; // The parameter in the path.
  if (!(await hosts.has(caller.scope, id))) throw hostNotFound();
}
