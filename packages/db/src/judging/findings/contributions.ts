import type { KnownStatement } from './finding-knowledge.ts';

/** Of a due date: at no known time. */
export const noDue = Number.POSITIVE_INFINITY;
/** Of the time since when something is known: nothing of the key's own is. */
export const never = Number.POSITIVE_INFINITY;
/** Above the places of all severities. */
export const noSeverity = 255;

/** What one statement contributes to one key on the hosts of a list. Callers change and pass one object. */
export interface Contribution {
  /** The place in `fixStates`. */
  state: number;
  /** The place in `severities`. */
  severity: number;
  knownExploited: boolean;
  /** -1: none. */
  epss: number;
  /** In milliseconds since 1970; NaN: at no known time. */
  dueAt: number;
  knownAt: number;
  /** Whether the key is the statement's own: otherwise it adds hosts, states and due dates alone. */
  isOwn: boolean;
}

/** The place of each field of a row in `Contributions`. */
export const field = {
  key: 0,
  state: 1,
  isOwn: 2,
  severity: 3,
  exploited: 4,
  epss: 5,
  dueAt: 6,
  knownAt: 7,
} as const;
export const rowLength = 8;

/**
 * What the statements about one package version contribute, each key once: the first state, what is worse and what is
 * earlier. They are all waived, or all open.
 */
export interface Contributions {
  /** Rows of `rowLength` numbers, one after the other: one array, because there are hundreds of thousands of these. */
  readonly rows: readonly number[];
  readonly waived: boolean;
  /** Dates that depend on when the hosts of a list got the version: they are in none of the rows. */
  readonly later: readonly LaterDate[];
}

/** A key that is due when a statement is. */
export interface LaterDate {
  readonly key: number;
  readonly statement: KnownStatement;
  /** As of TermsDues.minuteOf. */
  readonly cve: number;
}

const noLater: readonly LaterDate[] = [];

/** Collects what statements contribute that are all waived, or all open. */
export class ContributionWriter {
  readonly #places = new Map<number, number>();
  readonly #rows: number[] = [];
  readonly #later: LaterDate[] = [];

  add(key: number, { state, severity, knownExploited, epss, dueAt, knownAt, isOwn }: Contribution): void {
    const rows = this.#rows;
    let place = this.#places.get(key);
    if (place === undefined) {
      place = rows.length;
      this.#places.set(key, place);
      rows.push(key, state, 0, noSeverity, 0, -1, noDue, never);
    }
    const least = (of: number, value: number): void => {
      if (value < (rows[place + of] ?? 0)) rows[place + of] = value;
    };
    least(field.state, state);
    least(field.dueAt, dueAt);
    if (!isOwn) return;
    rows[place + field.isOwn] = 1;
    least(field.severity, severity);
    if (knownExploited) rows[place + field.exploited] = 1;
    if (epss > (rows[place + field.epss] ?? 0)) rows[place + field.epss] = epss;
    least(field.knownAt, knownAt);
  }

  addLater(date: LaterDate): void {
    this.#later.push(date);
  }

  written(waived: boolean): Contributions {
    // A copy has no room for more rows.
    return { rows: this.#rows.slice(), waived, later: this.#later.length === 0 ? noLater : this.#later };
  }
}
