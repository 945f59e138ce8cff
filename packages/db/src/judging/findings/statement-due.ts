import {
  type DuePolicy,
  type DueSpan,
  type DueTerms,
  dependsOnFirstReport,
  dueIn,
  dueSpanOf,
  dueTermsOf,
  noDueSpan,
} from '@plimsoll/advisories';
import type { HostExposure } from '@plimsoll/model';
import type { FindingKnowledge, KnownStatement } from './finding-knowledge.ts';

/** What decides on the terms of a host. Equal hosts share the object. */
export interface DueProfile {
  readonly exposure: HostExposure;
  readonly tags: readonly string[];
}

/** What a finding list says of a package version of its hosts. */
export interface ListedDue {
  /** Of the finding as a whole; NaN without one. */
  readonly dueMinute: number;
  /** 0: no date depends on it, or the list was written by a version of the service that did not store it. */
  readonly installedMinute: number;
  /** As of HostTimes, of the hosts that have the list. */
  readonly firstReportAt: number;
}

const minuteMs = 60_000;
/** All numbers that are kept, four bytes each. */
const mostCells = 16_000_000;
/** Instead of a minute. */
const [unknown, never, byHost] = [-(2 ** 31), -(2 ** 31) + 1, -(2 ** 31) + 2] as const;

/** The due dates of single advisories and CVEs on hosts, by a policy. Dates that hosts have in common are found once. */
export class StatementDues {
  private readonly byTerms = new Map<string, TermsDues>();
  private policy: DuePolicy | null = null;
  private stamp = '';

  /** Takes the policy in force; forgets everything if it or all that is known of statements is new. True: it is. */
  follow(policy: DuePolicy, generation: number): boolean {
    const stamp = JSON.stringify([generation, policy]);
    if (stamp === this.stamp) return false;
    this.stamp = stamp;
    this.policy = policy.rules.length === 0 ? null : policy;
    this.byTerms.clear();
    return true;
  }

  /** The dates on hosts with a profile; null: no policy is set. */
  of({ exposure, tags }: DueProfile, knowledge: Pick<FindingKnowledge, 'cves'>): TermsDues | null {
    if (this.policy === null) return null;
    const terms = dueTermsOf(this.policy, exposure, tags);
    const key = JSON.stringify(terms);
    const known = this.byTerms.get(key) ?? new TermsDues(terms, knowledge);
    this.byTerms.set(key, known);
    return known;
  }

  /** Forgets dates if they are too many. To be called between two questions. */
  trim(): void {
    let cells = 0;
    for (const dues of this.byTerms.values()) cells += dues.size;
    if (cells > mostCells) this.byTerms.clear();
  }
}

/** The due dates of statements on all hosts with equal terms. */
export class TermsDues {
  /** Whether dates can depend on the day of a host's first report. */
  readonly isByFirstReport: boolean;
  private readonly terms: DueTerms;
  private readonly knowledge: Pick<FindingKnowledge, 'cves'>;
  private readonly ofStatements = new Minutes();
  private readonly ofCves = new Minutes();

  constructor(terms: DueTerms, knowledge: Pick<FindingKnowledge, 'cves'>) {
    this.isByFirstReport = dependsOnFirstReport(terms);
    this.terms = terms;
    this.knowledge = knowledge;
  }

  get size(): number {
    return this.ofStatements.size + this.ofCves.size;
  }

  /**
   * The minute since 1970 in which an open statement is due, rounded up; NaN: at no known time.
   * @param cve the place in `cves` of the only CVE that counts; -1: all.
   */
  minuteOf(statement: KnownStatement, cve: number, listed: ListedDue): number {
    const { minute, minutes, number } = this.find(statement, cve);
    if (minute === never) return Number.NaN;
    if (minute !== byHost) return minute;
    const { installedMinute, dueMinute, firstReportAt } = listed;
    const times = { installedAt: installedMinute * minuteMs, firstReportAt };
    const due = Math.ceil(dueIn(minutes.spanOf(number), times) / minuteMs);
    // No advisory of a finding is due before the finding, so this is never too late.
    return installedMinute === 0 && dueMinute > due ? dueMinute : due;
  }

  /** Whether that minute depends on when a host got the version, or reported first. */
  isByHost(statement: KnownStatement, cve: number): boolean {
    return this.find(statement, cve).minute === byHost;
  }

  private find(statement: KnownStatement, cve: number) {
    const isWhole = cve < 0 || statement.cves.length === 1;
    const minutes = isWhole ? this.ofStatements : this.ofCves;
    const number = isWhole ? statement.number : statement.firstCve + cve;
    const known = minutes.at(number);
    const minute =
      known === unknown ? minutes.set(number, this.spanOf(statement, isWhole ? -1 : cve)) : known;
    return { minute, minutes, number };
  }

  private spanOf({ due, cves }: KnownStatement, cve: number): DueSpan {
    if (due === null) return noDueSpan;
    if (cve < 0) return dueSpanOf([due], this.terms);
    const name = this.knowledge.cves.at(cves[cve] ?? -1);
    const own = due.cves.filter(({ id }) => id === name);
    // A CVE that is not open on the version is due at no time.
    return own.length === 0 ? noDueSpan : dueSpanOf([{ ...due, cves: own }], this.terms);
  }
}

/** Minutes by number. */
class Minutes {
  private cells = new Int32Array(0);
  private readonly spans = new Map<number, DueSpan>();

  get size(): number {
    return this.cells.length;
  }

  at(number: number): number {
    return this.cells[number] ?? unknown;
  }

  spanOf(number: number): DueSpan {
    return this.spans.get(number) ?? noDueSpan;
  }

  set(number: number, span: DueSpan): number {
    if (number >= this.cells.length) {
      const known = this.cells;
      this.cells = new Int32Array(Math.max(2 * known.length, number + 1, 1_024)).fill(unknown);
      this.cells.set(known);
    }
    const isByHost = span.afterInstallation.length + span.afterFirstReport.length > 0;
    if (isByHost) this.spans.set(number, span);
    const minute = Number.isFinite(span.at) ? Math.ceil(span.at / minuteMs) : never;
    this.cells[number] = isByHost ? byHost : minute;
    return this.at(number);
  }
}
