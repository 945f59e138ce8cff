import type { Assessment } from '@plimsoll/advisories';
import {
  type AssessmentStore,
  assessStoredHost,
  type HostHistory,
  type HostOverview,
  type HostStore,
  type HostToAssess,
} from '@plimsoll/db';
import { AppError, type Gap, gapsOfBits } from '@plimsoll/model';
import type { AnswerHeaders } from '../../http/answer.ts';

/** The host with an id. Throws `not_found` if it does not exist. */
export async function findHost(hosts: HostStore, id: string): Promise<HostOverview> {
  const host = await hosts.find(id);
  if (host === null) throw hostNotFound();
  return host;
}

/** The error for an unknown host id. */
export function hostNotFound(): AppError {
  return new AppError('not_found', 'No host has this id.');
}

/**
 * The header with the host's gaps, for every answer about its packages and findings.
 * @param then the host at the times that the answer is about, if not now: its release may have had other gaps then.
 */
export function gapsHeader(
  { gaps }: Pick<HostOverview, 'gaps'>,
  ...then: readonly HostToAssess[]
): AnswerHeaders {
  const all = new Set<Gap>([...gapsOfBits(gaps), ...then.flatMap(feedGaps)]);
  return { 'Plimsoll-Gaps': [...all].sort().join(', ') };
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

/**
 * Assesses the packages installed at a time by today's advisories. Throws `no_snapshot` for a time before the first
 * snapshot.
 */
export async function assessmentAt(
  history: HostHistory,
  hostId: string,
  at: Date,
): Promise<LoadedAssessment> {
  const then = await history.find(hostId, { kind: 'at', at });
  if (then === null) throw new AppError('no_snapshot', 'The host had no snapshot at that time.');
  return { host: then.host, assessment: assessStoredHost(then.host) };
}
