import type { HostOverview, HostToAssess } from '@plimsoll/db';
import { type Gap, gapsOfBits } from '@plimsoll/model';
import type { AnswerHeaders } from '../../http/answer.ts';

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
