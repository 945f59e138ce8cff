import { distributionOf } from '@plimsoll/advisories';
import type { Advisory, AdvisoryKey, Release, Statement } from '@plimsoll/model';
import { versionKey } from '@plimsoll/versions';

/** A statement with its advisory's publication day. */
export interface BookedStatement extends Statement {
  readonly publishedAt: Date | null;
}

interface ReleasePage {
  /** By the package name in advisories. */
  readonly statements: Map<string, BookedStatement[]>;
  /** CVEs with a vulnerability record, with the day of the earliest dated one; null: undated. */
  readonly judged: Map<string, Date | null>;
}

/** The statements of one file of advisories about some releases: the service's tables, in memory. */
export class StatementBook {
  private readonly wanted: ReadonlySet<Release>;
  private readonly pages = new Map<Release, ReleasePage>();
  private readonly seen = new Set<string>();
  private static lastNumber = 0;

  constructor(wanted: ReadonlySet<Release>) {
    this.wanted = wanted;
  }

  /** Adds an advisory of a feed. Returns false and adds nothing if the feed already had its id. */
  enter(feedId: string, advisory: Advisory): boolean {
    const key = `${feedId} ${advisory.externalId}`;
    if (this.seen.has(key)) return false;
    this.seen.add(key);
    const advisoryKey = StatementBook.nextNumber() as AdvisoryKey; // Replaces the row number.
    for (const affected of advisory.packages) {
      if (!this.wanted.has(affected.release)) continue;
      const page = this.pageOf(affected.release);
      const statements = page.statements.get(affected.name);
      const statement = statementOf(advisory, affected, advisoryKey, StatementBook.nextNumber());
      if (statements === undefined) page.statements.set(affected.name, [statement]);
      else statements.push(statement);
      if (advisory.kind === 'vulnerability' && advisory.withdrawnAt === null) judge(page, advisory);
    }
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

  /** Whether a CVE has its own record that names the release, published until `asOf`. */
  isJudged(release: Release, cve: string, asOf: Date | null): boolean {
    const since = this.pages.get(release)?.judged.get(cve);
    if (since === undefined) return false;
    return since === null || asOf === null || since <= asOf;
  }

  private pageOf(release: Release): ReleasePage {
    const page = this.pages.get(release) ?? { statements: new Map(), judged: new Map() };
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
  { release, severity, severitySource, fix, builds, names }: Advisory['packages'][number],
  advisoryKey: AdvisoryKey,
  statementId: number,
): BookedStatement {
  const { externalId, kind, cves, publishedAt } = advisory;
  return {
    statementId,
    advisory: advisoryKey,
    externalId,
    kind,
    cves,
    severity,
    severitySource,
    fix: fix.kind === 'unfixed' ? fix : { ...fix, key: keyOf(release, fix.version) },
    builds,
    ...(names === undefined ? {} : { names }),
    withdrawn: advisory.withdrawnAt !== null,
    knownExploited: false,
    firstSeenAt: new Date(0),
    publishedAt,
  };
}

/** The parsers refuse fixed versions without a sort key. */
function keyOf(release: Release, version: string): Uint8Array {
  const distribution = distributionOf(release);
  if (distribution === null) throw new Error(`no distribution owns ${release}`);
  const keyed = versionKey(distribution.scheme, version);
  if (keyed.kind === 'unparseable') throw new Error(`${version} has no sort key: ${keyed.reason}`);
  return keyed.key;
}

function judge({ judged }: ReleasePage, { cves, publishedAt }: Advisory): void {
  for (const cve of cves) {
    const since = judged.get(cve);
    if (since === undefined || (since !== null && (publishedAt === null || publishedAt < since))) {
      judged.set(cve, publishedAt);
    }
  }
}
