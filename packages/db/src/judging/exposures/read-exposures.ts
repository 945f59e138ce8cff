import type { HostId } from '@plimsoll/model';
import { answerExposures, type ExposureFilter, findExposures, type HostExposure } from './host-exposures.ts';
import { loadHostTimeline } from './host-timeline.ts';
import { loadHostOffers } from './remediation.ts';
import type { SharedRows } from './shared-rows.ts';

/** The exposures of a host that pass a filter, in no order; null before its first snapshot. */
export async function readExposures(
  rows: SharedRows,
  hostId: HostId,
  filter: ExposureFilter,
): Promise<readonly HostExposure[] | null> {
  const timeline = await loadHostTimeline(rows, hostId, null);
  if (timeline === null) return null;
  const stays = [...timeline.judged.flatMap((chain) => chain.stays), ...timeline.kernels];
  await rows.readMatches(stays.map(({ versionId }) => versionId));
  const { matches } = rows;
  const found = findExposures(timeline.judged, { matches, filter });
  const offers = await loadHostOffers(rows, hostId);
  return answerExposures(found, { timeline, offers, matches });
}
