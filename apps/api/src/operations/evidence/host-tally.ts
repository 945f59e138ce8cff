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
  /** Hosts for which no advisories were known at the start. */
  unjudgedStart = 0;
  /** Hosts with gaps at the end. */
  gapped = 0;
  /** The feeds on which what is said of hosts rests. */
  readonly feeds = new Set<string>();
  readonly #period: EvidencePeriod;
  readonly #sums = { opened_in_period: 0, closed_in_period: 0, ended_otherwise: 0, open_at_end: 0 };
  #openAtStart: number | null = null;
  readonly #due = new Map<string, number>();

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
    if (end.gaps.length > 0) this.gapped += 1;
    for (const { feed } of [start, end]) if (feed !== null) this.feeds.add(feed);
    this.#addFindings(host.findings);
  }

  /** The sum over hosts, at the start over those of which it is known; verdicts are null without a policy. */
  totals(): ExposureTotals {
    const due = this.#due.size === 0 ? null : Object.fromEntries(this.#due);
    return { open_at_start: this.#openAtStart, ...this.#sums, due };
  }

  #addFindings({ open_at_start: openAtStart, due, ...sums }: ExposureTotals): void {
    if (openAtStart !== null) this.#openAtStart = (this.#openAtStart ?? 0) + openAtStart;
    this.#sums.opened_in_period += sums.opened_in_period;
    this.#sums.closed_in_period += sums.closed_in_period;
    this.#sums.ended_otherwise += sums.ended_otherwise;
    this.#sums.open_at_end += sums.open_at_end;
    for (const [verdict, number] of Object.entries(due ?? {}))
      this.#due.set(verdict, (this.#due.get(verdict) ?? 0) + number);
  }
}
