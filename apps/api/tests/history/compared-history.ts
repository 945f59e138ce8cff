import type { TestDatabase } from '@plimsoll/testing';
import { exposureLine, exposuresOf, firstSeenOf, type NaiveExposure } from './naive-exposures.ts';
import { countingOf, findingsOf, knowledgeAt, reportAt } from './naive-hosts.ts';
import { historyOf, type NaiveHistory } from './naive-intervals.ts';
import { matchesOf } from './naive-knowledge.ts';
import { type NaiveInterval, versionKey } from './naive-model.ts';
import { remediationOf } from './naive-remediation.ts';
import type { SimulatedDays } from './simulated-days.ts';
import { type StoredFindings, storedFindings, storedLine } from './stored-findings.ts';
import { storedIntervals, storedLedger } from './stored-history.ts';

/** Compares what the service has stored by now with what the simulator says of the same events. */
export class ComparedHistory {
  private readonly database: TestDatabase;
  private readonly simulated: SimulatedDays;
  private readonly histories: ReadonlyMap<string, NaiveHistory>;
  private readonly stored: StoredFindings;

  constructor(database: TestDatabase, simulated: SimulatedDays) {
    this.database = database;
    this.simulated = simulated;
    this.stored = storedFindings(database);
    this.histories = new Map(
      [...simulated.versions].map(([key, version]) => [key, historyOf(version, simulated.events)]),
    );
  }

  /** The intervals of all matches. */
  async matches(): Promise<void> {
    const stored = await storedIntervals(this.database);
    const expected = [...this.histories.values()].flatMap(({ intervals }) => intervals);
    expect(stored.map(intervalLine).sort()).toEqual(expected.map(intervalLine).sort());
  }

  /** What each change did to which versions. */
  async ledger(): Promise<void> {
    const stored = (await storedLedger(this.database)).map(({ version, line }) => `${version} ${line}`);
    const expected = [...this.histories].flatMap(([version, { ledger }]) =>
      ledger.map((line) => `${version} ${line}`),
    );
    expect(stored.sort()).toEqual(expected.sort());
  }

  /** The findings of all hosts, their ages, and all exposures. */
  async hostsNow(): Promise<void> {
    const now = this.simulated.quiet.at(-1) as Date; // At least one day has passed.
    for (const { id: host } of this.simulated.hosts) {
      expect(await this.stored.now(host)).toEqual(this.findings(host, now, now));
      expect(await this.stored.firstSeen(host)).toEqual(this.firstSeen(host, now));
      expect(await this.stored.exposures(host)).toEqual(this.exposures(host, now));
    }
  }

  /** The exposures to each CVE: while it was open on what a host had. */
  async exposuresOfCves(): Promise<void> {
    const now = this.simulated.quiet.at(-1) as Date; // At least one day has passed.
    const cves = new Set([...this.histories.values()].flatMap(({ byCve }) => [...byCve.keys()]));
    expect(cves.size).toBeGreaterThan(0);
    for (const cve of cves) {
      const found = await this.stored.exposuresOfCve(cve);
      const intervalsOf = (version: string) => this.histories.get(version)?.byCve.get(cve) ?? [];
      const expected = this.simulated.hosts.flatMap(({ id }) =>
        this.exposures(id, now, intervalsOf).map((line) => `${id} ${line}`),
      );
      expect(found.map((one) => `${one.hostId} ${storedLine(one)}`).sort()).toEqual(expected.sort());
      expect(found.filter((one) => !one.cves.includes(cve))).toEqual([]);
      const times = found.map(({ from }) => from.getTime());
      expect(times).toEqual(times.toSorted((a, b) => b - a));
    }
  }

  /** The findings of all hosts as of a time, by what was known then and by what is known now. */
  async hostsAt(at: Date): Promise<void> {
    const now = this.simulated.quiet.at(-1) as Date; // At least one day has passed.
    for (const { id: host } of this.simulated.hosts) {
      expect(await this.stored.at(host, at, 'then')).toEqual(this.findings(host, at, at));
      expect(await this.stored.at(host, at, 'now')).toEqual(this.findings(host, at, now));
    }
  }

  private findings(host: string, at: Date, known: Date): readonly string[] {
    return findingsOf(this.simulated.events, { host, at, known });
  }

  private readonly intervalsOf = (version: string): readonly NaiveInterval[] =>
    this.histories.get(version)?.intervals ?? [];

  private firstSeen(host: string, now: Date): readonly string[] {
    const { events } = this.simulated;
    const report = reportAt(events, host, now);
    if (report === null) return [];
    return countingOf(report)
      .flatMap((version) =>
        this.intervalsOf(versionKey(version))
          .filter(({ until }) => until === null)
          .map(({ record }) => {
            const first = firstSeenOf(events, { host, name: version.name, record }, this.intervalsOf);
            return `${version.name} ${version.version} ${idOf(record)} ${first?.toISOString()}`;
          }),
      )
      .sort();
  }

  /** Without those of a severity that is hidden unless it is asked for. */
  private exposures(host: string, now: Date, intervalsOf = this.intervalsOf): readonly string[] {
    return exposuresOf(this.simulated.events, host, intervalsOf)
      .filter((exposure) => !this.isHidden(exposure, now))
      .map((exposure) =>
        exposureLine({
          ...exposure,
          ...remediationOf(exposure, { events: this.simulated.events, host, intervalsOf }),
          name: exposure.version.name,
          id: idOf(exposure.record),
        }),
      )
      .sort();
  }

  /** Exposures have the severity that was known last. */
  private isHidden({ version, record, matchedUntil }: NaiveExposure, now: Date): boolean {
    const last = matchedUntil === null ? now : new Date(matchedUntil.getTime() - 1);
    const found = matchesOf(version, knowledgeAt(this.simulated.events, last));
    return (
      found.find((match) => `${match.record.feed}/${match.record.id}` === record)?.statement.severity ===
      'none'
    );
  }
}

/** The id of a record without its feed. */
const idOf = (record: string): string => record.slice(record.indexOf('/') + 1);

function intervalLine({ since, until, knownAt, ...interval }: NaiveInterval): string {
  return [
    interval.version,
    interval.record,
    `${since.toISOString()} ${interval.sinceCause}`,
    `${until?.toISOString() ?? '-'} ${interval.untilCause ?? '-'}`,
    `known ${knownAt.toISOString()}`,
    interval.openCves ?? '',
  ].join(' | ');
}
