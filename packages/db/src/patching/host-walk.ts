import { groupBy, type HostId, type MatchCause } from '@plimsoll/model';
import type { HostExposure } from '../exposures/host-exposures.ts';
import { otherFixSpans, type Span, withoutSpans } from '../exposures/past-fixes.ts';
import { readExposures } from '../exposures/read-exposures.ts';
import type { SharedRows } from '../exposures/shared-rows.ts';
import { readWaiverSpansOf, WaiverHistory } from '../exposures/waiver-history.ts';
import { type CountedExposures, countEqual, hoursBetween, spanSince, stagesOf } from './patch-counts.ts';

/** Why exposures ended: by a change on the host, or by one of what is known. */
export type EndCause = 'patched' | MatchCause;

/** Exposures of a host that ended at one time. */
export interface EndedExposures {
  readonly at: Date;
  readonly cause: EndCause;
  readonly counts: readonly CountedExposures[];
}

/** Exposures of a host of which something was so until one time. */
export interface ExposuresUntil {
  /** Before it they were open, and it was so. May be in the future. */
  readonly until: Date;
  /** With `spanSince` in their stages. */
  readonly counts: readonly CountedExposures[];
}

/** The exposures of a host, counted. Those with the severity `none` are left out. */
export interface WalkedHost {
  readonly hostId: HostId;
  /** The number of its newest matched snapshot. */
  readonly sequence: string;
  /** Since the start of the history, in no order. */
  readonly ended: readonly EndedExposures[];
  /** Without stages. */
  readonly open: readonly CountedExposures[];
  /** When some of these were waived, in no order. */
  readonly waived: readonly ExposuresUntil[];
  /** When some of these were not waived, and had a fix and have none as is known last, or the reverse; in no order. */
  readonly restated: readonly ExposuresUntil[];
}

const everything = { from: null, to: null, severity: null, open: null };

/**
 * Counts the exposures of a host, as GET /hosts/{id}/exposures lists them; null before its first snapshot.
 */
export async function walkHost(shared: SharedRows, hostId: HostId): Promise<WalkedHost | null> {
  const all = await readExposures(shared, hostId, everything);
  if (all === null) return null;
  const { rows } = await shared.client.query<{ sequence: string; historyFrom: Date | null }>(
    `SELECT sequence, (SELECT starts_at FROM history_bounds) AS "historyFrom" FROM host_state WHERE host_id = $1`,
    [hostId],
  );
  const { sequence = '0', historyFrom = null } = rows[0] ?? {};
  const kept = all.filter(({ until }) => until === null || historyFrom === null || until >= historyFrom);
  const spans = await readWaiverSpansOf(shared.client, hostId);
  await shared.readPastFixes(kept.flatMap(({ stated }) => stated.map(({ statementId }) => statementId)));
  const waivers = new WaiverHistory(spans, shared.pastFixes);
  const open = kept.filter(({ until }) => until === null).map(toCount);
  return {
    hostId,
    sequence,
    ended: endedOf(kept),
    open: countEqual(open, { withStages: false }),
    waived: untilEnds(kept, (exposure) => waivers.spansOf(exposure)),
    restated: untilEnds(kept, (exposure) =>
      withoutSpans(
        otherFixSpans(exposure, (id) => shared.pastFixes.get(id) ?? []),
        waivers.spansOf(exposure),
      ),
    ),
  };
}

/** Time spans within exposures, by their ends. */
function untilEnds(
  exposures: readonly HostExposure[],
  spansOf: (exposure: HostExposure) => readonly Span[],
): readonly ExposuresUntil[] {
  const found: { readonly until: number; readonly counted: Omit<CountedExposures, 'count'> }[] = [];
  for (const exposure of exposures) {
    for (const { from, until } of spansOf(exposure)) {
      const counted = { ...toCount(exposure), hours: 0, stages: spanSince(from) };
      // An exposure is open until its end, and that included; at the end of any other span it is over.
      found.push({ until: until === exposure.until?.getTime() ? until + 1 : until, counted });
    }
  }
  return [...groupBy(found, ({ until }) => until)].map(([until, some]) => ({
    until: new Date(until),
    counts: countEqual(
      some.map(({ counted }) => counted),
      { withStages: true },
    ),
  }));
}

function endedOf(exposures: readonly HostExposure[]): readonly EndedExposures[] {
  const ends = exposures.flatMap((exposure) => {
    const cause = endCauseOf(exposure);
    return exposure.until === null || cause === null ? [] : [{ exposure, at: exposure.until, cause }];
  });
  return [...groupBy(ends, ({ at, cause }) => `${at.getTime()} ${cause}`).values()].flatMap((some) => {
    const [first] = some;
    if (first === undefined) return [];
    const exposed = some.map(({ exposure }) => toCount(exposure));
    const counts = countEqual(exposed, { withStages: first.cause === 'patched' });
    return [{ at: first.at, cause: first.cause, counts }];
  });
}

function endCauseOf({ untilCause }: HostExposure): EndCause | null {
  if (untilCause === null) return null;
  if (untilCause === 'package_changed' || untilCause === 'kernel_booted' || untilCause === 'first_snapshot')
    return 'patched';
  return untilCause;
}

function toCount(exposure: HostExposure): Omit<CountedExposures, 'count'> {
  const isFromHost =
    exposure.fromCause === 'first_snapshot' ||
    exposure.fromCause === 'package_changed' ||
    exposure.fromCause === 'kernel_booted';
  return {
    severity: exposure.severity,
    hasFix: exposure.hasFix,
    from: exposure.from.getTime(),
    hours: exposure.until === null ? 0 : hoursBetween(exposure.from.getTime(), exposure.until.getTime()),
    stages: stagesOf(exposure, { isFromKnowledge: !isFromHost }),
  };
}
