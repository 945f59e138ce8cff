import { groupBy, type HostId } from '@plimsoll/model';
import {
  type CountedAs,
  type CountedExposures,
  countEqual,
  hoursBetween,
  noStages,
  stagesOf,
} from './exposure-counts.ts';
import type { HostExposure } from './host-exposures.ts';
import type { MatchContent } from './match-contents.ts';
import { otherFixSpans, type Span, withoutSpans } from './past-fixes.ts';
import { readExposures } from './read-exposures.ts';
import type { SharedRows } from './shared-rows.ts';
import { readWaiverSpansOf, WaiverHistory } from './waiver-history.ts';

/** The exposures of a host, counted. Those with the severity `none` are left out. */
export interface WalkedHost {
  readonly hostId: HostId;
  /** The number of its newest matched snapshot. */
  readonly sequence: string;
  /** Those that are open, and those that ended since the start of the history. */
  readonly counts: readonly CountedExposures[];
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
  const continued = await findContinued(shared, kept);
  const past = new Map(
    kept.map((each) => [each, otherFixSpans(each, (id) => shared.pastContents.get(id) ?? [])]),
  );
  const fixable = fixableTimes(past);
  const counted = kept.flatMap((exposure) => {
    const waived = waivers.spansOf(exposure);
    const fixableAt = fixable.get(exposure) ?? null;
    const as = (cause: CountedAs) => ({ ...countedAs(exposure, cause), fixableAt });
    return [
      as(continued.has(exposure) ? 'continued' : endCauseOf(exposure)),
      ...spansWithin(exposure, as('waived'), waived),
      ...spansWithin(exposure, as('restated'), withoutSpans(past.get(exposure) ?? [], waived)),
    ];
  });
  return { hostId, sequence, counts: countEqual(counted) };
}

type One = Omit<CountedExposures, 'count'>;
type Timed = Omit<One, 'fixableAt'>;

/** Time spans within an exposure, which have no stages. */
function spansWithin(exposure: HostExposure, counted: One, spans: readonly Span[]): readonly One[] {
  return spans.map((span) => ({
    ...counted,
    // At the moment of its start an exposure is not open yet, and at that of its end it is; any other span is the reverse.
    since: span.from === exposure.from.getTime() ? span.from : span.from - 1,
    until: span.until === exposure.until?.getTime() ? span.until : span.until - 1,
  }));
}

/**
 * Since when a fix is known for each exposure that has one last: after the last time in which none was, and not before the
 * exposure; of one that continues others about the same CVEs, as these if they had a fix.
 * @param past the times in which whether there is a fix was known otherwise
 */
function fixableTimes(past: ReadonlyMap<HostExposure, readonly Span[]>): ReadonlyMap<HostExposure, number> {
  const own = new Map(
    [...past].flatMap(([exposure, spans]) =>
      exposure.hasFix
        ? [[exposure, Math.max(exposure.from.getTime(), spans.at(-1)?.until ?? 0)] as const]
        : [],
    ),
  );
  const byCve = groupBy(
    [...own.keys()].flatMap((exposure) => exposure.cves.map((cve) => ({ exposure, cve }))),
    ({ cve }) => cve,
  );
  const before = ({ continues, cves, chain, from }: HostExposure) =>
    (continues === null ? [] : cves.flatMap((cve) => byCve.get(cve) ?? []))
      .map(({ exposure }) => exposure)
      .filter(
        (other) =>
          continues !== null &&
          other.chain === chain &&
          other.from >= continues.from &&
          other.until !== null &&
          other.until <= from,
      );
  const timeOf = (exposure: HostExposure) => own.get(exposure) ?? Number.POSITIVE_INFINITY;
  return new Map([...own].map(([exposure, at]) => [exposure, Math.min(at, ...before(exposure).map(timeOf))]));
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

function endCauseOf({ untilCause }: HostExposure): CountedAs {
  if (untilCause === null) return 'open';
  if (untilCause === 'package_changed' || untilCause === 'kernel_booted' || untilCause === 'first_snapshot')
    return 'patched';
  return untilCause;
}

function countedAs(exposure: HostExposure, cause: CountedAs): Timed {
  const { from, fromCause } = exposure.continues ?? exposure;
  const { severity, hasFix, until } = exposure;
  const counted = {
    severity,
    hasFix,
    since: exposure.from.getTime(),
    until: until?.getTime() ?? Number.POSITIVE_INFINITY,
    timedSince: from.getTime(),
    cause,
  };
  if (cause !== 'patched') return { ...counted, hours: null, stages: noStages };
  const isFromHost =
    fromCause === 'first_snapshot' || fromCause === 'package_changed' || fromCause === 'kernel_booted';
  return {
    ...counted,
    hours: hoursBetween(counted.timedSince, counted.until),
    stages: stagesOf({ ...exposure, from }, { isFromKnowledge: !isFromHost }),
  };
}
