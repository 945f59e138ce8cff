import { type FixState, fixStates, type Severity, severities } from '@plimsoll/model';
import { type Contributions, field, never, noDue, noSeverity, rowLength } from './contributions.ts';
import type { FindingRow } from './finding-query.ts';

/** Which hosts of a key count. */
export interface CountedHosts {
  /** Only those in this state, a place in `fixStates`; -1: all. */
  readonly state: number;
  readonly overdueOnly: boolean;
  readonly nowMs: number;
}

/** The columns of what is known of numbered keys. */
class KeyColumns {
  readonly severity: Uint8Array;
  readonly knownExploited: Uint8Array;
  readonly isOwn: Uint8Array;
  readonly epss: Float64Array;
  readonly dueAt: Float64Array;
  readonly firstAt: Float64Array;

  constructor(size: number) {
    this.severity = new Uint8Array(size).fill(noSeverity);
    this.knownExploited = new Uint8Array(size);
    this.isOwn = new Uint8Array(size);
    this.epss = new Float64Array(size).fill(-1);
    this.dueAt = new Float64Array(size).fill(noDue);
    this.firstAt = new Float64Array(size).fill(never);
  }

  clear(key: number): void {
    this.severity[key] = noSeverity;
    this.knownExploited[key] = 0;
    this.isOwn[key] = 0;
    this.epss[key] = -1;
    this.dueAt[key] = noDue;
    this.firstAt[key] = never;
  }

  /** Takes what is worse or earlier. */
  take(key: number, severity: number, isExploited: boolean, epss: number, knownAt: number): void {
    this.isOwn[key] = 1;
    if (severity < (this.severity[key] ?? noSeverity)) this.severity[key] = severity;
    if (isExploited) this.knownExploited[key] = 1;
    if (epss > (this.epss[key] ?? -1)) this.epss[key] = epss;
    if (knownAt < (this.firstAt[key] ?? never)) this.firstAt[key] = knownAt;
  }

  /** Takes a due date if it is earlier. */
  takeDue(key: number, dueAt: number): void {
    if (dueAt < (this.dueAt[key] ?? noDue)) this.dueAt[key] = dueAt;
  }
}

/** Counts hosts by numbered keys, each host once per key, at the first of its states there. */
export class FindingTotals {
  readonly size: number;
  private readonly hosts: Float64Array;
  private readonly overdue: Float64Array;
  private readonly waived: Float64Array;
  private readonly byState: Float64Array;
  private readonly all: KeyColumns;
  /** Of the current list. */
  private readonly own: KeyColumns;
  private readonly state: Uint8Array;
  /** 1: something of the key is not waived. */
  private readonly isOpen: Uint8Array;
  private readonly seenIn: Int32Array;
  private list = 0;
  private touched: number[] = [];

  constructor(size: number) {
    this.size = size;
    this.hosts = new Float64Array(size);
    this.overdue = new Float64Array(size);
    this.waived = new Float64Array(size);
    this.byState = new Float64Array(size * fixStates.length);
    this.all = new KeyColumns(size);
    this.own = new KeyColumns(size);
    this.state = new Uint8Array(size);
    this.isOpen = new Uint8Array(size);
    this.seenIn = new Int32Array(size);
  }

  /** Starts the next list. */
  begin(): void {
    this.list += 1;
    this.touched = [];
  }

  /** Adds what a version contributes to the current list. */
  add({ rows, waived }: Contributions): void {
    const { list, own } = this;
    for (let at = 0; at < rows.length; at += rowLength) {
      const key = rows[at] ?? 0;
      const state = rows[at + field.state] ?? 0;
      if (this.seenIn[key] !== list) {
        this.seenIn[key] = list;
        this.state[key] = state;
        this.isOpen[key] = 0;
        own.clear(key);
        this.touched.push(key);
      } else if (state < (this.state[key] ?? 0)) this.state[key] = state;
      if (!waived) this.isOpen[key] = 1;
      own.takeDue(key, rows[at + field.dueAt] ?? noDue);
      if (rows[at + field.isOwn] !== 1) continue;
      own.take(
        key,
        rows[at + field.severity] ?? noSeverity,
        rows[at + field.exploited] === 1,
        rows[at + field.epss] ?? -1,
        rows[at + field.knownAt] ?? never,
      );
    }
  }

  /** Takes a due date of a key of the current list if it is earlier. */
  takeDue(key: number, dueAt: number): void {
    this.own.takeDue(key, dueAt);
  }

  /** Forgets all lists. Takes as long as there are keys. */
  clear(): void {
    for (const column of [this.hosts, this.overdue, this.waived, this.byState]) column.fill(0);
    for (let key = 0; key < this.size; key += 1) this.all.clear(key);
  }

  /** Ends a list that some hosts have. `firstSnapshotAt`: of the host that is known for the longest time. */
  end(hosts: number, firstSnapshotAt: number, counted: CountedHosts): void {
    const { own } = this;
    for (const key of this.touched) {
      const state = this.state[key] ?? 0;
      const dueAt = own.dueAt[key] ?? noDue;
      const isOverdue = dueAt < counted.nowMs;
      if ((counted.state >= 0 && counted.state !== state) || (counted.overdueOnly && !isOverdue)) continue;
      this.hosts[key] = (this.hosts[key] ?? 0) + hosts;
      if (isOverdue) this.overdue[key] = (this.overdue[key] ?? 0) + hosts;
      if (this.isOpen[key] === 0) this.waived[key] = (this.waived[key] ?? 0) + hosts;
      const place = key * fixStates.length + state;
      this.byState[place] = (this.byState[place] ?? 0) + hosts;
      this.all.takeDue(key, dueAt);
      if (own.isOwn[key] !== 1) continue;
      this.all.take(
        key,
        own.severity[key] ?? noSeverity,
        own.knownExploited[key] === 1,
        own.epss[key] ?? -1,
        Math.max(own.firstAt[key] ?? never, firstSnapshotAt),
      );
    }
  }

  /** The row of a key; null if no host counts for it, or no statement of its own does. */
  rowOf(key: number, names: { readonly key: string; readonly title: string }): FindingRow | null {
    const hosts = this.hosts[key] ?? 0;
    if (hosts === 0 || this.all.isOwn[key] !== 1) return null;
    const byState: Partial<Record<FixState, number>> = {};
    for (const [place, state] of fixStates.entries()) {
      const n = this.byState[key * fixStates.length + place] ?? 0;
      if (n > 0) byState[state] = n;
    }
    const dueAt = this.all.dueAt[key] ?? noDue;
    const epss = this.all.epss[key] ?? -1;
    return {
      ...names,
      severity: severities[this.all.severity[key] ?? 0] ?? ('unrated' satisfies Severity),
      knownExploited: this.all.knownExploited[key] === 1,
      epss: epss < 0 ? null : epss,
      dueAt: dueAt === noDue ? null : dueAt,
      overdueHosts: this.overdue[key] ?? 0,
      waivedHosts: this.waived[key] ?? 0,
      hosts,
      byState,
      firstSeenAt: this.all.firstAt[key] ?? 0,
    };
  }
}
