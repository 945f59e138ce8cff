import { compareText, type FixState, fixStates, severities } from '@plimsoll/model';
import { noDue } from './contributions.ts';
import type { FindingPlace, FindingRow, FindingRows } from './finding-query.ts';

/** What rows are ordered by. */
interface PlaceColumns {
  /** `noDue`: at no known time. */
  readonly dueAt: ArrayLike<number>;
  readonly knownExploited: ArrayLike<number>;
  /** Places in `severities`. */
  readonly severity: ArrayLike<number>;
  /** -1: none. */
  readonly epss: ArrayLike<number>;
  readonly hosts: ArrayLike<number>;
  readonly key: ArrayLike<string>;
}

/** Rows in order of arrival. */
interface RowColumns extends PlaceColumns {
  readonly title: readonly string[];
  readonly overdueHosts: ArrayLike<number>;
  readonly waivedHosts: ArrayLike<number>;
  readonly firstSeenAt: ArrayLike<number>;
  /** Where the states of each row end in the columns below; those of the next row follow. */
  readonly statesEnd: ArrayLike<number>;
  /** Places in `fixStates`, ascending in each row. */
  readonly state: ArrayLike<number>;
  readonly hostsInState: ArrayLike<number>;
}

/** A row and each of its states: what the columns take; the rest of an answer is estimated. */
const bytesOf = { row: 62, state: 5, answer: 4_000 } as const;

/**
 * The rows of an answer, what to do first comes first. Kept as columns, because as objects they take three times as much memory; a row is made
 * each time it is asked for.
 */
export class KeptRows implements FindingRows {
  readonly length: number;
  /** In memory, without the texts: others have them as well. */
  readonly bytes: number;
  private readonly columns: RowColumns;
  private readonly order: Uint32Array;

  constructor(columns: RowColumns) {
    const order = Uint32Array.from(columns.key as readonly string[], (_, place) => place);
    this.columns = columns;
    this.order = order.sort((a, b) => comparePlaces(columns, a, columns, b));
    this.length = order.length;
    this.bytes = bytesOf.answer + bytesOf.row * order.length + bytesOf.state * columns.state.length;
  }

  slice(first = 0, end = this.length): readonly FindingRow[] {
    return Array.from(this.order.subarray(first, end), (place) => this.rowAt(place));
  }

  /** The number of rows that are not behind a place. */
  upTo(after: FindingPlace): number {
    const place = placeColumns(after);
    let [low, high] = [0, this.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (comparePlaces(this.columns, this.order[middle] ?? 0, place, 0) > 0) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  private rowAt(place: number): FindingRow {
    const { columns } = this;
    const dueAt = columns.dueAt[place] ?? noDue;
    const epss = columns.epss[place] ?? -1;
    return {
      key: columns.key[place] ?? '',
      title: columns.title[place] ?? '',
      severity: severities[columns.severity[place] ?? 0] ?? 'unrated',
      knownExploited: columns.knownExploited[place] === 1,
      epss: epss < 0 ? null : epss,
      dueAt: dueAt === noDue ? null : dueAt,
      overdueHosts: columns.overdueHosts[place] ?? 0,
      waivedHosts: columns.waivedHosts[place] ?? 0,
      hosts: columns.hosts[place] ?? 0,
      byState: this.statesAt(place),
      firstSeenAt: columns.firstSeenAt[place] ?? 0,
    };
  }

  private statesAt(place: number): FindingRow['byState'] {
    const { statesEnd, state, hostsInState } = this.columns;
    const byState: Partial<Record<FixState, number>> = {};
    for (let at = statesEnd[place - 1] ?? 0; at < (statesEnd[place] ?? 0); at += 1) {
      const name = fixStates[state[at] ?? 0];
      if (name !== undefined) byState[name] = hostsInState[at] ?? 0;
    }
    return byState;
  }
}

/** Collects rows in any order. */
export class RowWriter {
  private readonly key: string[] = [];
  private readonly title: string[] = [];
  private readonly dueAt: number[] = [];
  private readonly knownExploited: number[] = [];
  private readonly severity: number[] = [];
  private readonly epss: number[] = [];
  private readonly hosts: number[] = [];
  private readonly overdueHosts: number[] = [];
  private readonly waivedHosts: number[] = [];
  private readonly firstSeenAt: number[] = [];
  private readonly statesEnd: number[] = [];
  private readonly state: number[] = [];
  private readonly hostsInState: number[] = [];

  add(row: FindingRow): void {
    this.key.push(row.key);
    this.title.push(row.title);
    this.dueAt.push(row.dueAt ?? noDue);
    this.knownExploited.push(Number(row.knownExploited));
    this.severity.push(severities.indexOf(row.severity));
    this.epss.push(row.epss ?? -1);
    this.hosts.push(row.hosts);
    this.overdueHosts.push(row.overdueHosts);
    this.waivedHosts.push(row.waivedHosts);
    this.firstSeenAt.push(row.firstSeenAt);
    for (const [place, state] of fixStates.entries()) {
      const hosts = row.byState[state];
      if (hosts === undefined) continue;
      this.state.push(place);
      this.hostsInState.push(hosts);
    }
    this.statesEnd.push(this.state.length);
  }

  /** All rows that were added, in order. */
  written(): KeptRows {
    return new KeptRows({
      // Copies have no room for more rows.
      key: this.key.slice(),
      title: this.title.slice(),
      dueAt: new Float64Array(this.dueAt),
      knownExploited: new Uint8Array(this.knownExploited),
      severity: new Uint8Array(this.severity),
      epss: new Float64Array(this.epss),
      hosts: new Uint32Array(this.hosts),
      overdueHosts: new Uint32Array(this.overdueHosts),
      waivedHosts: new Uint32Array(this.waivedHosts),
      firstSeenAt: new Float64Array(this.firstSeenAt),
      statesEnd: new Uint32Array(this.statesEnd),
      state: new Uint8Array(this.state),
      hostsInState: new Uint32Array(this.hostsInState),
    });
  }
}

/** One place as columns. */
function placeColumns(place: FindingPlace): PlaceColumns {
  return {
    dueAt: [place.dueAt ?? noDue],
    knownExploited: [Number(place.knownExploited)],
    severity: [severities.indexOf(place.severity)],
    epss: [place.epss ?? -1],
    hosts: [place.hosts],
    key: [place.key],
  };
}

/** What to do first comes first. */
function comparePlaces(a: PlaceColumns, atA: number, b: PlaceColumns, atB: number): number {
  return (
    compareAt(a.dueAt, atA, b.dueAt, atB) ||
    compareAt(b.knownExploited, atB, a.knownExploited, atA) ||
    compareAt(a.severity, atA, b.severity, atB) ||
    compareAt(b.epss, atB, a.epss, atA) ||
    compareAt(b.hosts, atB, a.hosts, atA) ||
    compareText(a.key[atA] ?? '', b.key[atB] ?? '')
  );
}

function compareAt(a: ArrayLike<number>, atA: number, b: ArrayLike<number>, atB: number): number {
  const left = a[atA] ?? 0;
  const right = b[atB] ?? 0;
  return left < right ? -1 : Number(left > right);
}
