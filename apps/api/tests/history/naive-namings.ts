import { groupBy } from '@plimsoll/model';
import { type NaiveKnowledge, type NaiveMatch, statementKey } from './naive-knowledge.ts';
import type { NaiveInterval } from './naive-model.ts';

/** What affects a version now. */
export type OpenInterval = Omit<NaiveInterval, 'until' | 'untilCause'> & { readonly match: NaiveMatch };

/** By key of the statement. */
export type Open = ReadonlyMap<string, OpenInterval>;

/** A time span in which a statement was about a CVE. */
interface SaidSpan {
  readonly cve: string;
  readonly from: Date;
  /** Null: it is still. */
  readonly until: Date | null;
}

/** A CVE that a statement names as open on a version. */
interface Naming {
  readonly cve: string;
  /** The start of what affects the version meanwhile. */
  readonly matchSince: Date;
  readonly interval: NaiveInterval;
}

/** Follows which CVEs are open on a version. */
export class NaiveNamings {
  private spans: ReadonlyMap<string, readonly SaidSpan[]> = new Map();
  private open: Open = new Map();
  private now: ReadonlyMap<string, Naming> = new Map();
  private readonly ended: Naming[] = [];

  /** Follows what all statements are about, also before the version comes. */
  said(before: NaiveKnowledge, after: NaiveKnowledge, at: Date): void {
    const spans = new Map<string, readonly SaidSpan[]>();
    for (const record of after.records.values())
      for (const statement of record.statements) {
        const key = statementKey(record, statement);
        const names = statement.cves ?? record.cves;
        const known = before.stated.has(key) ? (this.spans.get(key) ?? []) : [];
        const open = known.filter(({ until }) => until === null).map(({ cve }) => cve);
        spans.set(key, [
          ...known.map((span) =>
            span.until === null && !names.includes(span.cve) ? { ...span, until: at } : span,
          ),
          ...names.filter((cve) => !open.includes(cve)).map((cve) => ({ cve, from: at, until: null })),
        ]);
      }
    this.spans = spans;
  }

  /** A version that comes later has been affected since the import of what affects it, by the CVEs that this named then. */
  start(open: Open): void {
    const named = [...open].flatMap(([key, { match, ...interval }]) => {
      const whole = match.open.map((cve) => ({ cve, from: interval.since, until: null }));
      const spans = interval.openCves === null ? (this.spans.get(key) ?? []) : whole;
      return spans.map((span) => ({ key, span, interval }));
    });
    const all: Naming[] = [];
    const now = new Map<string, Naming>();
    for (const { key, span, interval } of named.sort((a, b) => +a.span.from - +b.span.from)) {
      const { cve, from, until } = span;
      const isFirst = from.getTime() === interval.since.getTime();
      const naming: Naming = {
        cve,
        matchSince: interval.since,
        interval: {
          ...interval,
          since: from,
          sinceCause: isFirst ? interval.sinceCause : 'advisory_changed',
          knownAt: isFirst ? interval.knownAt : knownUpTo(from, cve, all),
          until,
          untilCause: until && 'advisory_changed',
        },
      };
      all.push(naming);
      if (until === null) now.set(`${key} ${cve}`, naming);
      else this.ended.push(naming);
    }
    this.open = open;
    this.now = now;
  }

  /** @param ended what affected the version and does so no longer, or in another way. */
  go(open: Open, ended: readonly NaiveInterval[], at: Date): void {
    const next = new Map<string, Naming>();
    for (const [key, { match, ...interval }] of open)
      for (const cve of match.open) {
        const place = `${key} ${cve}`;
        const known = this.now.get(place);
        const wasAffected = this.open.has(key);
        const age = known?.interval.knownAt ?? knownUpTo(at, cve, [...this.now.values()]);
        const began: NaiveInterval = {
          ...interval,
          since: wasAffected ? at : interval.since,
          sinceCause: wasAffected && interval.since !== at ? 'advisory_changed' : interval.sinceCause,
          knownAt: wasAffected ? age : interval.knownAt,
          until: null,
          untilCause: null,
        };
        const isOld = known?.matchSince === interval.since;
        next.set(place, isOld ? known : { cve, matchSince: interval.since, interval: began });
      }
    for (const [place, naming] of this.now) {
      const { interval, matchSince } = naming;
      if (next.get(place)?.matchSince === matchSince) continue;
      const end = ended.find(
        (one) => one.record === interval.record && one.since === matchSince && one.until === at,
      );
      const untilCause = end?.untilCause ?? 'advisory_changed';
      this.ended.push({ ...naming, interval: { ...interval, until: at, untilCause } });
    }
    this.now = next;
    this.open = open;
  }

  /** From when to when each CVE was open, by record. */
  intervals(): ReadonlyMap<string, readonly NaiveInterval[]> {
    const byCve = groupBy([...this.ended, ...this.now.values()], ({ cve }) => cve);
    return new Map([...byCve].map(([cve, some]) => [cve, some.map(({ interval }) => interval)]));
  }
}

/** Since when a CVE is known that statements name up to a time; that time if none does. */
function knownUpTo(at: Date, cve: string, namings: readonly Naming[]): Date {
  const ages = namings
    .filter((one) => one.cve === cve && one.interval.since < at)
    .filter(({ interval: { until } }) => until === null || until >= at)
    .map(({ interval }) => interval.knownAt.getTime());
  return new Date(Math.min(at.getTime(), ...ages));
}
