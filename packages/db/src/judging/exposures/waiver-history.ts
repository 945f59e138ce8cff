import { type AppliedWaiver, HostWaivers } from '@plimsoll/advisories';
import type { HostId, WaiverId, WaiverKind } from '@plimsoll/model';
import type { Statements } from '../../core/transaction.ts';
import type { HostExposure } from './host-exposures.ts';
import { loadPastContents, type PastContent } from './past-contents.ts';
import type { Span, Stated } from './past-fixes.ts';

/** A waiver while it applied. */
export interface WaiverSpan {
  readonly id: WaiverId;
  readonly kind: WaiverKind;
  readonly advisories: readonly string[];
  readonly packages: readonly string[];
  readonly purls: readonly string[];
  readonly hostIds: readonly HostId[];
  readonly tags: readonly string[];
  readonly allHosts: boolean;
  readonly createdBy: string;
  readonly createdAt: Date;
  /** When it ended, or will end. */
  readonly endsAt: Date;
}

/** The fields of an exposure that decide which waivers cover it. */
export type WaivableExposure = Pick<
  HostExposure,
  'advisoryId' | 'cves' | 'hasFix' | 'waivedPackage' | 'statementId' | 'stated' | 'from' | 'until'
>;

/** SQL: the waivers `w` that applied at some time after $1 and before $2. */
const spansBetween = `SELECT w.id, w.kind, w.advisories, w.packages, w.purls, w.host_ids AS "hostIds", w.tags, w.all_hosts AS "allHosts",
    w.created_by AS "createdBy", w.created_at AS "createdAt", coalesce(w.ended_at, w.expires_at) AS "endsAt"
  FROM waivers w WHERE w.created_at < $2 AND coalesce(w.ended_at, w.expires_at) > greatest($1, w.created_at)`;

/** The waivers of the fleet that applied at some time of a period, by their ids. */
export async function readWaiverSpans(
  client: Statements,
  { from, to }: { readonly from: Date; readonly to: Date },
): Promise<readonly WaiverSpan[]> {
  return (await client.query<WaiverSpan>(`${spansBetween} ORDER BY w.id`, [from, to])).rows;
}

/** All waivers that ever applied to a host, by its tags of today: earlier ones are not kept. By their ids. */
export async function readWaiverSpansOf(client: Statements, host: HostId): Promise<readonly WaiverSpan[]> {
  const { rows } = await client.query<WaiverSpan>(
    `${spansBetween} AND (w.all_hosts OR w.host_ids @> ARRAY[$3::uuid] OR w.tags && (SELECT tags FROM hosts WHERE id = $3))
     ORDER BY w.id`,
    ['-infinity', 'infinity', host],
  );
  return rows;
}

/** As loadPastContents, of the statements of exposures. Without waivers, nothing is read. */
export async function readPastContents(
  client: Statements,
  exposures: readonly WaivableExposure[],
  waivers: readonly WaiverSpan[],
): Promise<ReadonlyMap<number, readonly PastContent[]>> {
  if (waivers.length === 0) return new Map();
  return loadPastContents(client, [...new Set(exposures.flatMap(statementsOf))]);
}

function statementsOf({ statementId, stated }: WaivableExposure): readonly number[] {
  return [statementId, ...stated.map((one) => one.statementId)];
}

/** What the waivers of one host covered at each time. */
export class WaiverHistory {
  private readonly spans: readonly WaiverSpan[];
  private readonly pastContents: ReadonlyMap<number, readonly PastContent[]>;
  /** The times at which others apply than before, in ascending order. */
  private readonly changes: readonly number[];
  /** All of them together: what these do not cover, none covers. */
  private readonly all: HostWaivers;
  private readonly known = new Map<string, HostWaivers>();

  /** @param spans those that apply to the host @param pastContents as of readPastContents */
  constructor(spans: readonly WaiverSpan[], pastContents: ReadonlyMap<number, readonly PastContent[]>) {
    this.spans = spans;
    this.pastContents = pastContents;
    const times = spans.flatMap(({ createdAt, endsAt }) => [createdAt.getTime(), endsAt.getTime()]);
    this.changes = [...new Set(times)].sort((a, b) => a - b);
    this.all = new HostWaivers(spans.map(toApplied));
  }

  /** The waiver that covered an exposure at a time, in milliseconds since 1970; null: none. */
  coverAt(exposure: WaivableExposure, at: number): AppliedWaiver | null {
    const { advisoryId, waivedPackage } = exposure;
    if (waivedPackage === null) return null;
    const fix = { kind: this.hadFix(exposure, at) ? 'fixed' : 'unfixed' } as const;
    const statement = { externalId: advisoryId, cves: this.cvesAt(exposure, at), fix };
    return this.appliedAt(at)?.coverOf(statement, waivedPackage) ?? null;
  }

  /** When an exposure was covered while it went on, in ascending order. The last span may end in the future. */
  spansOf(exposure: WaivableExposure): readonly Span[] {
    if (this.spans.length === 0 || !this.isEverCovered(exposure)) return [];
    const from = exposure.from.getTime();
    const until = exposure.until?.getTime() ?? Number.POSITIVE_INFINITY;
    const restated = [
      ...this.pastOf(exposure).flatMap((past) => [past.from, past.until]),
      ...exposure.stated.map((one) => one.from),
    ];
    const times = [from, ...this.changes, ...restated]
      .filter((at) => at >= from && at < until)
      .sort((a, b) => a - b);
    const found: { from: number; until: number }[] = [];
    for (const [place, at] of times.entries()) {
      const end = times[place + 1] ?? until;
      if (end === at || this.coverAt(exposure, at) === null) continue;
      const last = found.at(-1);
      if (last?.until === at) last.until = end;
      else found.push({ from: at, until: end });
    }
    return found;
  }

  /** Whether any of the waivers could cover an exposure, whatever it was about at their time. */
  private isEverCovered(exposure: WaivableExposure): boolean {
    const { advisoryId, waivedPackage } = exposure;
    if (waivedPackage === null) return false;
    const said = [exposure, ...exposure.stated, ...this.pastOf(exposure)];
    return [...new Set(said.map(({ cves }) => cves))].some(
      (cves) =>
        this.all.coverOf({ externalId: advisoryId, cves, fix: { kind: 'unfixed' } }, waivedPackage) !== null,
    );
  }

  private pastOf(exposure: WaivableExposure): readonly PastContent[] {
    return [...new Set(statementsOf(exposure))].flatMap((id) => this.pastContents.get(id) ?? []);
  }

  /** The CVEs that were open at a time; before and after the exposure those at its start and end. */
  private cvesAt(exposure: WaivableExposure, at: number): readonly string[] {
    const { from, until, stated, statementId } = exposure;
    const then = Math.max(from.getTime(), until === null ? at : Math.min(at, until.getTime() - 1));
    const isThen = (span: Span) => span.from <= then && then < span.until;
    const inForce = stated.filter(isThen);
    const said: Stated | undefined = inForce.find((one) => one.statementId === statementId) ?? inForce.at(-1);
    if (said === undefined) return exposure.cves;
    if (said.isNarrowed) return said.cves;
    return this.pastContents.get(said.statementId)?.find(isThen)?.cves ?? said.cves;
  }

  /**
   * Whether the statement named a fix, as was known at a time, and at the end of the exposure just before it. `hasFix` of
   * the exposure is what was known last, perhaps after its end.
   */
  private hadFix({ statementId, hasFix, until }: WaivableExposure, at: number): boolean {
    const then = until === null ? at : Math.min(at, until.getTime() - 1);
    const past = this.pastContents.get(statementId)?.find((span) => span.from <= then && then < span.until);
    return past?.hasFix ?? hasFix;
  }

  private appliedAt(at: number): HostWaivers | null {
    const applying = this.spans.filter(
      ({ createdAt, endsAt }) => createdAt.getTime() <= at && at < endsAt.getTime(),
    );
    if (applying.length === 0) return null;
    const key = applying.map(({ id }) => id).join(' ');
    const found = this.known.get(key) ?? new HostWaivers(applying.map(toApplied));
    this.known.set(key, found);
    return found;
  }
}

function toApplied({ endsAt, ...waiver }: WaiverSpan): AppliedWaiver {
  return { ...waiver, expiresAt: endsAt };
}
