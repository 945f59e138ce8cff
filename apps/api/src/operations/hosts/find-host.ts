import type { HostOverview, HostStore, HostToAssess } from '@plimsoll/db';
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
