import { exposedOf, isKernel } from './naive-hosts.ts';
import {
  type NaiveEvent,
  type NaiveInterval,
  type NaiveRemediation,
  type NaiveVersion,
  versionKey,
} from './naive-model.ts';

/** A time span in which a host had versions of a package that a record affected. */
export interface NaiveExposure {
  /** What the host had last. */
  readonly version: NaiveVersion;
  readonly record: string;
  readonly from: Date;
  readonly fromCause: string;
  /** Null: it goes on. */
  readonly until: Date | null;
  readonly untilCause: string | null;
  /** The end of what affected the last version; null: it still does. */
  readonly matchedUntil: Date | null;
  /** Since when what affected it first was known. */
  readonly knownAt: Date;
}

/** A time span in which a host had a version, or ran it. */
interface Stay {
  readonly version: NaiveVersion;
  readonly from: Date;
  until: Date | null;
  readonly isFirst: boolean;
}

/** All exposures of a host. @param intervalsOf what affected a version from when to when. */
export function exposuresOf(
  events: readonly NaiveEvent[],
  host: string,
  intervalsOf: (version: string) => readonly NaiveInterval[],
): readonly NaiveExposure[] {
  return [...staysOf(events, host).values()].flatMap((stays) => {
    const records = new Set(
      stays.flatMap(({ version }) => intervalsOf(versionKey(version)).map(({ record }) => record)),
    );
    return [...records].flatMap((record) => joined(piecesOf(stays, record, intervalsOf)));
  });
}

/** What a host had of each package, the oldest first; of kernels, what it ran. */
function staysOf(events: readonly NaiveEvent[], host: string): ReadonlyMap<string, readonly Stay[]> {
  const stays = new Map<string, Stay[]>();
  let isFirst = true;
  for (const event of events) {
    if (event.kind !== 'upload' || event.host !== host) continue;
    const { report, at } = event;
    const had = new Map(
      exposedOf(report).map((version) => [isKernel(version) ? 'kernel' : version.name, version]),
    );
    for (const chain of stays.values()) {
      const last = chain.at(-1);
      const now = last && had.get(isKernel(last.version) ? 'kernel' : last.version.name);
      if (last?.until === null && (now === undefined || versionKey(now) !== versionKey(last.version)))
        last.until = at;
    }
    for (const [key, version] of had) {
      const chain = stays.get(key) ?? [];
      const goesOn = chain.at(-1)?.until === null;
      if (!goesOn) stays.set(key, [...chain, { version, from: at, until: null, isFirst }]);
    }
    isFirst = false;
  }
  return stays;
}

/** The times that the stays of a host have in common with the intervals of a record. */
function piecesOf(
  stays: readonly Stay[],
  record: string,
  intervalsOf: (version: string) => readonly NaiveInterval[],
): readonly NaiveExposure[] {
  const pieces: NaiveExposure[] = [];
  for (const { version, from, until, isFirst } of stays) {
    const ofHost = isKernel(version) ? 'kernel_booted' : 'package_changed';
    for (const interval of intervalsOf(versionKey(version))) {
      if (interval.record !== record) continue;
      const isHostLast = from >= interval.since;
      const isHostFirst = until !== null && (interval.until === null || until <= interval.until);
      const piece = {
        version,
        record,
        from: isHostLast ? from : interval.since,
        fromCause: isHostLast ? (isFirst ? 'first_snapshot' : ofHost) : interval.sinceCause,
        until: isHostFirst ? until : interval.until,
        untilCause: isHostFirst ? ofHost : interval.untilCause,
        matchedUntil: interval.until,
        knownAt: interval.knownAt,
      } as const;
      if (piece.until === null || piece.until > piece.from) pieces.push(piece);
    }
  }
  return pieces.sort((a, b) => a.from.getTime() - b.from.getTime());
}

/** Joins what goes on without a gap. */
function joined(pieces: readonly NaiveExposure[]): readonly NaiveExposure[] {
  const whole: NaiveExposure[] = [];
  for (const piece of pieces) {
    const before = whole.at(-1);
    if (before === undefined || before.until === null || before.until < piece.from) whole.push(piece);
    else if (piece.until === null || piece.until >= before.until)
      whole[whole.length - 1] = {
        ...piece,
        from: before.from,
        fromCause: before.fromCause,
        knownAt: before.knownAt < piece.knownAt ? before.knownAt : piece.knownAt,
      };
  }
  return whole;
}

/** Since when a host is exposed to what a record is about, whichever record said so before. */
export function firstSeenOf(
  events: readonly NaiveEvent[],
  { host, name, record }: { readonly host: string; readonly name: string; readonly record: string },
  intervalsOf: (version: string) => readonly NaiveInterval[],
): Date | null {
  const known = (version: string) =>
    intervalsOf(version).map((interval) => ({
      ...interval,
      since: interval.knownAt < interval.since ? interval.knownAt : interval.since,
    }));
  const exposures = exposuresOf(events, host, known);
  const open = exposures.find(
    (each) => each.version.name === name && each.record === record && each.until === null,
  );
  return open?.from ?? null;
}

/** An exposure as the test compares it. */
export interface ExposureToCompare
  extends Omit<NaiveExposure, 'version' | 'record' | 'matchedUntil'>,
    NaiveRemediation {
  readonly name: string;
  /** The id of the record. */
  readonly id: string;
}

/** An exposure in one line. */
export function exposureLine({
  name,
  id,
  from,
  fromCause,
  until,
  untilCause,
  knownAt,
  ...fix
}: ExposureToCompare): string {
  const [ended, ...fixed] = [until, fix.offeredAt, fix.installedAt, fix.runningAt].map(
    (at) => at?.toISOString() ?? '-',
  );
  return `${name} ${id} ${from.toISOString()} ${fromCause} ${ended} ${untilCause ?? '-'} known ${knownAt.toISOString()} fix ${fixed.join(' ')}`;
}
