import {
  areJudgementOf,
  distributionOf,
  feedOf,
  feedRoles,
  isSplitFormat,
  statementKeys,
} from '@plimsoll/advisories';
import type { Advisory, AdvisoryKey, Release, Statement } from '@plimsoll/model';

/** A statement with its advisory's publication day. */
export interface BookedStatement extends Statement {
  readonly publishedAt: Date | null;
}

interface ReleasePage {
  /** By the package name in advisories. */
  readonly statements: Map<string, BookedStatement[]>;
}

/** What a distribution's vulnerability records of one CVE have in common. */
interface RecordsOfCve {
  /** The day of the earliest dated one; null: one is undated. */
  since: Date | null;
  /** When the newest was changed; null: unknown. */
  changedAt: Date | null;
  readonly releases: Set<Release>;
}

/** The statements of one file of advisories about some releases: the service's tables, in memory. */
export class StatementBook {
  private readonly wanted: ReadonlySet<Release>;
  private readonly pages = new Map<Release, ReleasePage>();
  /** By distribution and CVE. */
  private readonly judged = new Map<string, RecordsOfCve>();
  private readonly seen = new Set<string>();
  private static lastNumber = 0;

  constructor(wanted: ReadonlySet<Release>) {
    this.wanted = wanted;
  }

  /** Adds an advisory of a feed. Returns false and adds nothing if the feed already had its id. */
  enter(feedId: string, advisory: Advisory): boolean {
    const key = `${feedId} ${advisory.externalId}`;
    const format = feedOf(feedId)?.format;
    const isPart = format !== undefined && isSplitFormat(format) === 'by_record';
    if (this.seen.has(key) && !isPart) return false;
    this.seen.add(key);
    const advisoryKey = StatementBook.nextNumber() as AdvisoryKey; // Replaces the row number.
    for (const affected of advisory.packages) {
      if (!this.wanted.has(affected.release)) continue;
      const page = this.pageOf(affected.release);
      const statements = page.statements.get(affected.name);
      const leads = feedRoles.leading.includes(feedId) ? { leads: true as const } : {};
      const statement = {
        ...statementOf(advisory, affected, advisoryKey, StatementBook.nextNumber()),
        ...leads,
      };
      if (statements === undefined) page.statements.set(affected.name, [statement]);
      else statements.push(statement);
    }
    // A feed of unfixed packages only does not count, because it does not list fixed ones.
    const isJudge = advisory.kind === 'vulnerability' && feedRoles.fixFeeds.includes(feedId);
    if (isJudge && advisory.withdrawnAt === null) this.judge(advisory);
    return true;
  }

  /** The releases with statements. */
  releases(): readonly Release[] {
    return [...this.pages.keys()].sort();
  }

  /** The statements about a package of a release, by its match name and its source rpm. */
  about(
    release: Release,
    { matchName, sourceName }: { readonly matchName: string | null; readonly sourceName: string },
  ): readonly BookedStatement[] {
    const statements = this.pages.get(release)?.statements;
    if (matchName === null || statements === undefined) return [];
    const own = statements.get(matchName)?.filter(({ names }) => names === undefined) ?? [];
    const ofSource = statements.get(sourceName)?.filter(({ names }) => names !== undefined) ?? [];
    return [...own, ...ofSource];
  }

  /** Every advisory and CVE of the statements about a release. */
  idsOf(release: Release): ReadonlySet<string> {
    const ids = new Set<string>();
    for (const statements of this.pages.get(release)?.statements.values() ?? []) {
      for (const { externalId, cves } of statements) for (const id of [externalId, ...cves]) ids.add(id);
    }
    return ids;
  }

  /** Whether records published until `asOf` judge a CVE for a release; see areJudgementOf. */
  isJudged(release: Release, cve: string, asOf: Date | null): boolean {
    const records = this.judged.get(`${familyOf(release)} ${cve}`);
    if (records === undefined) return false;
    const { since, changedAt, releases } = records;
    if (since !== null && asOf !== null && since > asOf) return false;
    return areJudgementOf(release, { changedAt, namesRelease: releases.has(release) });
  }

  private judge({ cves, packages, publishedAt, modifiedAt }: Advisory): void {
    const [first] = packages;
    if (first === undefined) return;
    for (const cve of cves) {
      const key = `${familyOf(first.release)} ${cve}`;
      const known = this.judged.get(key);
      const releases = new Set([...(known?.releases ?? []), ...packages.map(({ release }) => release)]);
      const since = known === undefined ? publishedAt : earlier(known.since, publishedAt);
      this.judged.set(key, { since, changedAt: later(known?.changedAt ?? null, modifiedAt), releases });
    }
  }

  private pageOf(release: Release): ReleasePage {
    const page = this.pages.get(release) ?? { statements: new Map() };
    this.pages.set(release, page);
    return page;
  }

  /** Numbers are unique across all books, because several are read as one. */
  private static nextNumber(): number {
    StatementBook.lastNumber += 1;
    return StatementBook.lastNumber;
  }
}

function statementOf(
  advisory: Advisory,
  affected: Advisory['packages'][number],
  advisoryKey: AdvisoryKey,
  statementId: number,
): BookedStatement {
  const { externalId, kind, cves, publishedAt } = advisory;
  const { severity, severitySource, builds, names } = affected;
  return {
    statementId,
    advisory: advisoryKey,
    externalId,
    kind,
    cves,
    severity,
    severitySource,
    fix: statementKeys(affected).fix,
    builds,
    ...(names === undefined ? {} : { names }),
    withdrawn: advisory.withdrawnAt !== null,
    knownExploited: false,
    firstSeenAt: new Date(0),
    publishedAt,
  };
}

function familyOf(release: Release): string {
  return distributionOf(release)?.id ?? release;
}

function earlier(one: Date | null, other: Date | null): Date | null {
  return one === null || other === null ? null : one < other ? one : other;
}

function later(one: Date | null, other: Date | null): Date | null {
  return one === null || (other !== null && other > one) ? other : one;
}
