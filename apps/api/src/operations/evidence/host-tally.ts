import type { EvidencePeriod } from '@plimsoll/db';
import { isZeroKnown } from './evidence-posture.ts';
import { type EvidenceHost, type ExposureTotals, isAddedAfter } from './evidence-record.ts';

/** What notes and totals say of all hosts of a pack. */
export class HostTally {
  hosts = 0;
  silent = 0;
  /** Added after the period. */
  later = 0;
  retired = 0;
  /** Hosts whose state at an end of the period is not known. */
  unknownStart = 0;
  unknownEnd = 0;
  /** Hosts with a report then of which no finding is not known to be none, for want of a newer report or of advisories. */
  unjudgedStart = 0;
  unjudgedEnd = 0;
  /** Hosts of which nothing was found open at the start or end, which is not known to be none. They are in no sum. */
  notCountedStart = 0;
  notCountedEnd = 0;
  /** Hosts that may have more findings than the pack has. */
  partlyKnown = 0;
  /** Hosts with gaps at the end. */
  gapped = 0;
  /** The feeds on which what is said of hosts rests. */
  readonly feeds = new Set<string>();
  readonly #period: EvidencePeriod;
  readonly #sums: Record<Sum, number | null> = {
    open_at_start: null,
    opened_in_period: null,
    closed_in_period: null,
    ended_otherwise: null,
    open_at_end: null,
  };
  readonly #due = new Map<string, number | null>();

  constructor(period: EvidencePeriod) {
    this.#period = period;
  }

  add(host: EvidenceHost): void {
    const { start, end } = host;
    this.hosts += 1;
    if (host.silent) this.silent += 1;
    if (isAddedAfter(host, this.#period)) this.later += 1;
    if (host.retired_at !== null) this.retired += 1;
    if (start.known !== 'known') this.unknownStart += 1;
    else if (!isZeroKnown(start)) this.unjudgedStart += 1;
    if (end.known !== 'known' && end.known !== 'retired') this.unknownEnd += 1;
    else if (!isZeroKnown(end)) this.unjudgedEnd += 1;
    if (end.gaps.length > 0) this.gapped += 1;
    if (host.findings.open_at_start === null) this.notCountedStart += 1;
    // A host that was added later was not there: nothing of the period is unknown because of it.
    if (!isAddedAfter(host, this.#period)) {
      if (host.findings.open_at_end === null) this.notCountedEnd += 1;
      if (host.silent || !end.findings_known) this.partlyKnown += 1;
    }
    for (const { feed } of [start, end]) if (feed !== null) this.feeds.add(feed);
    this.#addFindings(host.findings);
  }

  /** The sums over hosts of which they are known, null if over none; verdicts are null without a policy. */
  totals(): ExposureTotals {
    return { ...this.#sums, due: this.#due.size === 0 ? null : Object.fromEntries(this.#due) };
  }

  #addFindings({ due, ...sums }: ExposureTotals): void {
    const plus = (sum: number | null, number: number | null) => (number === null ? sum : (sum ?? 0) + number);
    for (const name of Object.keys(this.#sums) as Sum[])
      this.#sums[name] = plus(this.#sums[name], sums[name]); // The object's own keys.
    for (const [verdict, number] of Object.entries(due ?? {}))
      this.#due.set(verdict, plus(this.#due.get(verdict) ?? null, number));
  }
}

type Sum = Exclude<keyof ExposureTotals, 'due'>;
