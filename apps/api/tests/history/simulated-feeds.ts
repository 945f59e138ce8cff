import { severities, type UnfixedReason } from '@plimsoll/model';
import type { NaiveCorrection, NaiveRecord, NaiveStatement } from './naive-model.ts';
import { recordKey } from './naive-model.ts';
import type { SeededRandom } from './seeded-random.ts';
import { newestNumber, releases, type SimulatedRelease, statedNames, versionOf } from './simulated-hosts.ts';

/** The feeds of the simulated releases. */
const feeds = ['debian-osv', 'debian-tracker', 'almalinux-errata'] as const;

type SimulatedFeed = (typeof feeds)[number];

const reasons: readonly UnfixedReason[] = ['no_fix', 'will_not_fix', 'under_investigation'];

/** An import that the simulation makes. */
export interface SimulatedImport {
  readonly records: readonly NaiveRecord[];
  readonly complete: readonly string[];
}

/** The feeds as their publishers have them; each step changes some records. */
export class SimulatedFeeds {
  private readonly random: SeededRandom;
  private readonly records = new Map<string, NaiveRecord>();
  private numbers = 0;

  constructor(random: SeededRandom) {
    this.random = random;
  }

  /** All CVEs that records name. */
  get cves(): readonly string[] {
    return [...new Set([...this.records.values()].flatMap(({ cves }) => cves))];
  }

  /** Changes one to three records of a feed and exports these, or all records of the feed. */
  step(): SimulatedImport {
    const feed = this.random.pick(feeds);
    const changed = Array.from({ length: this.random.between(1, 3) }, () => this.changeOne(feed));
    const keys = new Set(changed.filter((key) => key !== null));
    if (this.random.chance(0.3) || changed.includes(null)) {
      if (this.random.chance(0.1))
        return { records: this.of(feed).map((record) => this.exportAnew(record)), complete: [feed] };
      return { records: this.of(feed), complete: [feed] };
    }
    return { records: this.of(feed).filter((record) => keys.has(recordKey(record))), complete: [] };
  }

  private of(feed: SimulatedFeed): readonly NaiveRecord[] {
    return [...this.records.values()].filter((record) => record.feed === feed);
  }

  /** Returns the key of the record that changed; null: one was removed. */
  private changeOne(feed: SimulatedFeed): string | null {
    const { random } = this;
    const known = this.of(feed);
    if (known.length < 3 || random.chance(0.25)) return this.put(this.narrowed(this.newRecord(feed)));
    const record = random.pick(known);
    const removes = random.chance(0.12);
    const isRenamed = !removes && record.kind === 'vulnerability' && random.chance(0.06);
    if (removes || isRenamed) this.records.delete(recordKey(record));
    if (removes) return null;
    if (isRenamed) return this.put({ ...record, id: `${record.id}-R` });
    return this.put(this.narrowed(this.edited(record)));
  }

  private put(record: NaiveRecord): string {
    this.records.set(recordKey(record), this.exportAnew(record));
    return recordKey(record);
  }

  private exportAnew(record: NaiveRecord): NaiveRecord {
    this.numbers += 1;
    return { ...record, edition: this.numbers };
  }

  private edited(record: NaiveRecord): NaiveRecord {
    const { random } = this;
    const { statements } = record;
    const kind = random.between(1, 10);
    if (kind === 1) return record;
    if (kind === 2) return { ...record, withdrawn: !record.withdrawn };
    if (kind === 3) return { ...record, title: `${record.title}!` };
    if (kind === 4 && statements.length > 1) return { ...record, statements: statements.slice(1) };
    if (kind === 5) return { ...record, statements: this.withAnother(record) };
    if (kind === 6) return this.aboutOthers(record);
    const index = random.between(0, statements.length - 1);
    return {
      ...record,
      statements: statements.map((statement, at) => (at === index ? this.restated(statement) : statement)),
    };
  }

  /** The record with some statements that are about some of its CVEs only, as an update's in one release. */
  private narrowed(record: NaiveRecord): NaiveRecord {
    const { random } = this;
    const statements = record.statements.map((statement) => {
      const some = record.cves.filter(() => random.chance(0.6));
      if (record.kind === 'erratum' && some.length > 0 && random.chance(0.2))
        return { ...statement, cves: some };
      const isKept = statement.cves?.every((cve) => record.cves.includes(cve)) === true;
      return isKept ? statement : { ...statement, cves: null };
    });
    return { ...record, statements };
  }

  /** The record with other CVEs. */
  private aboutOthers(record: NaiveRecord): NaiveRecord {
    const { name } = this.random.pick(record.statements);
    const feed = record.feed as SimulatedFeed; // The simulation made the record.
    return {
      ...record,
      cves: record.kind === 'erratum' ? this.someCves(feed, name) : [this.freeCve(feed, name)],
    };
  }

  private restated(statement: NaiveStatement): NaiveStatement {
    const fresh = this.newStatement(statement.release as SimulatedRelease, statement.name);
    return this.random.chance(0.5)
      ? { ...statement, severity: fresh.severity }
      : { ...statement, fixed: fresh.fixed, reason: fresh.reason };
  }

  private withAnother({ feed, statements }: NaiveRecord): readonly NaiveStatement[] {
    const name = this.random.pick(statedNames[familyOfFeed(feed as SimulatedFeed)]);
    const fresh = this.newStatements(feed as SimulatedFeed, name);
    const isNamed = (one: NaiveStatement) =>
      statements.some(({ release, name }) => release === one.release && name === one.name);
    return [...statements, ...fresh.filter((one) => !isNamed(one))];
  }

  private newRecord(feed: SimulatedFeed): NaiveRecord {
    this.numbers += 1;
    const name = this.random.pick(statedNames[familyOfFeed(feed)]);
    const isErratum = feed === 'almalinux-errata' || (feed === 'debian-osv' && this.random.chance(0.3));
    const statements = this.newStatements(feed, name);
    const common = { feed, title: 'A flaw', withdrawn: false, edition: this.numbers, statements };
    if (isErratum)
      return { ...common, id: `UPDATE-${this.numbers}`, kind: 'erratum', cves: this.someCves(feed, name) };
    const cve = this.freeCve(feed, name);
    return { ...common, id: `${feed}-${cve}-${this.numbers}`, kind: 'vulnerability', cves: [cve] };
  }

  /** A CVE of a package that no vulnerability record of the feed is about. */
  private freeCve(feed: SimulatedFeed, name: string): string {
    const taken = new Set(this.of(feed).flatMap(({ kind, cves }) => (kind === 'vulnerability' ? cves : [])));
    const free = Array.from({ length: taken.size + 4 }, (_, n) => cveOf(feed, name, n)).filter(
      (cve) => !taken.has(cve),
    );
    return this.random.chance(0.7) ? (free[0] ?? '') : this.random.pick(free);
  }

  /** CVEs of an update, now and then one of another package. */
  private someCves(feed: SimulatedFeed, name: string): readonly string[] {
    const { random } = this;
    const cves = Array.from({ length: random.between(1, 3) }, () => {
      const about = random.chance(0.1) ? random.pick(statedNames[familyOfFeed(feed)]) : name;
      return cveOf(feed, about, random.between(0, 4));
    });
    return [...new Set(cves)].sort();
  }

  private newStatements(feed: SimulatedFeed, name: string): readonly NaiveStatement[] {
    const named = releases.filter((release) => release.startsWith(familyOfFeed(feed)));
    const chosen = named.filter(() => this.random.chance(0.7));
    return (chosen.length === 0 ? named.slice(0, 1) : chosen).map((release) =>
      this.newStatement(release, name),
    );
  }

  private newStatement(release: SimulatedRelease, name: string): NaiveStatement {
    const { random } = this;
    const isFixed = release === 'almalinux:9' || random.chance(0.7);
    return {
      release,
      name,
      fixed: isFixed ? versionOf(release, name, random.between(1, newestNumber + 1)) : null,
      reason: isFixed ? 'no_fix' : random.pick(reasons),
      severity: random.pick(severities),
      cves: null,
    };
  }

  /** Some known errors of the feeds. */
  corrections(): readonly NaiveCorrection[] {
    const { random } = this;
    const single = [...this.records.values()].filter(({ cves }) => cves.length === 1);
    if (single.length === 0) return [];
    const found = Array.from({ length: random.between(0, 3) }, () => {
      const record = random.pick(single);
      const { release, name } = random.pick(record.statements);
      const [cve = ''] = record.cves;
      const limit = () =>
        random.chance(0.5)
          ? versionOf(release as SimulatedRelease, name, random.between(1, newestNumber))
          : null;
      return { feed: record.feed, release, name, cve, from: limit(), before: limit() };
    });
    const keyOf = ({ feed, release, name, cve }: NaiveCorrection) => `${feed} ${release} ${name} ${cve}`;
    return [...new Map(found.map((correction) => [keyOf(correction), correction])).values()];
  }
}

const familyOfFeed = (feed: SimulatedFeed): 'debian' | 'almalinux' =>
  feed === 'almalinux-errata' ? 'almalinux' : 'debian';

/** The n-th CVE of a package. */
function cveOf(feed: SimulatedFeed, name: string, n: number): string {
  const family = familyOfFeed(feed);
  return `CVE-${family === 'debian' ? 2025 : 2026}-${1000 + 100 * statedNames[family].indexOf(name) + n}`;
}
