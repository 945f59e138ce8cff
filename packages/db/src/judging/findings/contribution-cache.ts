import type { AdvisoryKey, PackageVersionId } from '@plimsoll/model';
import { type Contributions, rowLength } from './contributions.ts';

/** The state of a version in a finding list, or of one of its advisories. */
export interface Mark {
  /** The place of a state in `fixStates`, or above all of them. */
  readonly place: number;
  readonly waived: boolean;
}

/** The mark of a version as a number, and behind it, of each exception in the order of the list, the advisory and its mark. */
export type Marks = readonly number[];

/** A mark as a number. */
export function markNumber(place: number, waived: boolean): number {
  return 2 * place + Number(waived);
}

function markOf(number: number): Mark {
  return { place: number >> 1, waived: (number & 1) === 1 };
}

/** The mark of a version, and those of its exceptions by advisory. */
export function marksOf([own = 0, ...others]: Marks): Mark & {
  readonly exceptions: ReadonlyMap<AdvisoryKey, Mark>;
} {
  const exceptions = new Map<AdvisoryKey, Mark>();
  for (let n = 0; n < others.length; n += 2)
    exceptions.set(others[n] as AdvisoryKey, markOf(others[n + 1] ?? 0)); // Marks have ids there.
  return { ...markOf(own), exceptions };
}

/** What is kept for one question. A fleet of 100,000 hosts with 7,000 versions and equal terms takes some megabytes. */
const mostBytes = 64 * 2 ** 20;
/** Combinations of marks of one version: more are seldom equal to those of another list. */
const mostMarks = 16;
/** Measured with Node 20, rounded up: an entry without rows, a row, a mark and a later date. */
const bytesOf = { entry: 350, row: 64, mark: 8, later: 60 } as const;

/** Keeps what versions contribute during one question: it is the same on all lists with equal marks, selection and terms. */
export class ContributionCache {
  readonly #byTerms = new Map<object, Map<object | null, VersionContributions>>();
  readonly #room: { bytes: number };

  constructor(bytes = mostBytes) {
    this.#room = { bytes };
  }

  /** Selections and terms of due dates are compared as objects. */
  of(selection: object, terms: object | null): VersionContributions {
    const byTerms = this.#byTerms.get(selection) ?? new Map<object | null, VersionContributions>();
    this.#byTerms.set(selection, byTerms);
    const known = byTerms.get(terms) ?? new VersionContributions(this.#room);
    byTerms.set(terms, known);
    return known;
  }
}

interface Kept {
  readonly marks: Marks;
  readonly contributions: readonly Contributions[];
}

/** What versions contribute with some marks. */
export class VersionContributions {
  readonly #kept = new Map<PackageVersionId, Kept[]>();
  readonly #room: { bytes: number };

  constructor(room: { bytes: number }) {
    this.#room = room;
  }

  /** Undefined: it is not kept. */
  find(id: PackageVersionId, marks: Marks): readonly Contributions[] | undefined {
    for (const kept of this.#kept.get(id) ?? []) if (isSame(kept.marks, marks)) return kept.contributions;
    return undefined;
  }

  /** Keeps it if there is room. */
  keep(id: PackageVersionId, marks: Marks, contributions: readonly Contributions[]): void {
    const others = this.#kept.get(id) ?? [];
    if (others.length >= mostMarks) return;
    let bytes = bytesOf.entry + bytesOf.mark * marks.length;
    for (const { rows, later } of contributions)
      bytes += bytesOf.row * (rows.length / rowLength) + bytesOf.later * later.length;
    if (bytes > this.#room.bytes) return;
    this.#room.bytes -= bytes;
    others.push({ marks: [...marks], contributions });
    this.#kept.set(id, others);
  }
}

function isSame(a: Marks, b: Marks): boolean {
  if (a.length !== b.length) return false;
  for (let n = 0; n < a.length; n += 1) if (a[n] !== b[n]) return false;
  return true;
}
