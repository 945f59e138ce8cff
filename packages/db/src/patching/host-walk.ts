import { groupBy, type HostId, type MatchCause } from '@plimsoll/model';
import type { HostExposure } from '../exposures/host-exposures.ts';
import type { MatchContent } from '../exposures/match-contents.ts';
import { otherFixSpans, type Span, withoutSpans } from '../exposures/past-fixes.ts';
import { readExposures } from '../exposures/read-exposures.ts';
import type { SharedRows } from '../exposures/shared-rows.ts';
import { readWaiverSpansOf, WaiverHistory } from '../exposures/waiver-history.ts';
import { type CountedExposures, countEqual, hoursBetween, spanSince, stagesOf } from './patch-counts.ts';

/**
 * Why exposures ended: by a change on the host, or by one of what is known. `continued`: only the record that counts changed,
 * and another exposure goes on about the same CVEs.
 */
export type EndCause = 'patched' | 'continued' | MatchCause;

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
  await shared.readPastContents(kept.flatMap(({ stated }) => stated.map(({ statementId }) => statementId)));
  const waivers = new WaiverHistory(spans, shared.pastContents);
  const open = kept.filter(({ until }) => until === null).map(toCount);
  return {
    hostId,
    sequence,
    ended: endedOf(kept, await findContinued(shared, kept)),
    open: countEqual(open, { withStages: false }),
    waived: untilEnds(kept, (exposure) => waivers.spansOf(exposure)),
    restated: untilEnds(kept, (exposure) =>
      withoutSpans(
        otherFixSpans(exposure, (id) => shared.pastContents.get(id) ?? []),
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
      const { timedFrom, ...counted } = toCount(exposure);
      // At the moment of its start an exposure is not open yet.
      const since = from === exposure.from.getTime() ? from + 1 : from;
      const span = { ...counted, from: timedFrom, timedFrom, hours: 0, stages: spanSince(since) };
      // An exposure is open until its end, and that included; at the end of any other span it is over.
      found.push({ until: until === exposure.until?.getTime() ? until + 1 : until, counted: span });
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

function endedOf(
  exposures: readonly HostExposure[],
  continued: ReadonlySet<HostExposure>,
): readonly EndedExposures[] {
  const ends = exposures.flatMap((exposure) => {
    const cause = continued.has(exposure) ? 'continued' : endCauseOf(exposure);
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

/** The exposures that ended only because another record counts, and of which another of the chain goes on from there. */
async function findContinued(
  shared: SharedRows,
  exposures: readonly HostExposure[],
): Promise<ReadonlySet<HostExposure>> {
  const continuing = groupBy(
    exposures.filter(({ continues }) => continues !== null),
    ({ chain }) => chain,
  );
  const pairs = exposures.flatMap((exposure) => {
    if (exposure.untilCause !== 'source_changed') return [];
    const next = (continuing.get(exposure.chain) ?? []).filter(
      ({ from }) => from.getTime() === exposure.until?.getTime(),
    );
    const begun = next.flatMap(({ continues }) => continues?.begun ?? []);
    return begun.length === 0 ? [] : [{ exposure, begun }];
  });
  const cvesOf = await shared.begunCves(pairs.flatMap(({ begun }) => begun));
  const isAbout = (match: MatchContent, cves: readonly string[]) =>
    cvesOf.get(match)?.some((cve) => cves.includes(cve)) === true;
  return new Set(
    pairs.flatMap(({ exposure, begun }) =>
      begun.some((match) => isAbout(match, exposure.cves)) ? [exposure] : [],
    ),
  );
}

function endCauseOf({ untilCause }: HostExposure): EndCause | null {
  if (untilCause === null) return null;
  if (untilCause === 'package_changed' || untilCause === 'kernel_booted' || untilCause === 'first_snapshot')
    return 'patched';
  return untilCause;
}

function toCount(exposure: HostExposure): Omit<CountedExposures, 'count'> {
  const { from, fromCause } = exposure.continues ?? exposure;
  const isFromHost =
    fromCause === 'first_snapshot' || fromCause === 'package_changed' || fromCause === 'kernel_booted';
  return {
    severity: exposure.severity,
    hasFix: exposure.hasFix,
    from: exposure.from.getTime(),
    timedFrom: from.getTime(),
    hours: exposure.until === null ? 0 : hoursBetween(from.getTime(), exposure.until.getTime()),
    stages: stagesOf({ ...exposure, from }, { isFromKnowledge: !isFromHost }),
  };
}
