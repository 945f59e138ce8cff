import {
  type Assessment,
  cveRatingsIn,
  cvesFixedIn,
  explainVersion,
  type JudgedStatement,
  livePatchOf,
  matchVersion,
  rateOpenCves,
  runningKernelSubject,
  selectFindings,
} from '@plimsoll/advisories';
import {
  assessStoredHost,
  classifyVersion,
  type InstalledVersion,
  releaseFactsOf,
  type StoredContent,
  type StoredPackageVersion,
} from '@plimsoll/db';
import type { HostId, PackageVersionId, PackageVersionIdentity, Release, UploadId } from '@plimsoll/model';
import type { BookedStatement, StatementBook } from './feeds/statement-book.ts';
import type { Inventory } from './inventory/inventory.ts';

/** One host judged by some books, as the service would judge it. */
export interface Evaluation {
  readonly release: Release;
  /** End of the release's support; null if unknown. */
  readonly endsAt: Date | null;
  readonly packages: readonly InstalledVersion[];
  readonly assessment: Assessment;
  /** The judgement of every statement about a package. */
  readonly explain: (version: StoredPackageVersion) => readonly JudgedStatement[];
}

/** The input advisories: those of all books, published until `asOf`; null: all. */
export interface Authorities {
  readonly books: readonly StatementBook[];
  readonly asOf: Date | null;
  /** CVEs known to be exploited. */
  readonly exploited: ReadonlySet<string>;
}

/** Judges a host. */
export function evaluate({ snapshot }: Inventory, { books, asOf, exploited }: Authorities): Evaluation {
  const { name: release, endsAt } = releaseFactsOf(snapshot.platform);
  const isJudged = (cve: string) => books.some((book) => book.isJudged(release, cve, asOf));
  const about = (version: StoredPackageVersion): readonly BookedStatement[] =>
    books
      .flatMap((book) => book.about(release, version))
      .filter(({ publishedAt }) => asOf === null || publishedAt === null || publishedAt <= asOf)
      .map((statement) => ({
        ...statement,
        knownExploited: statement.cves.some((cve) => exploited.has(cve)),
      }));
  let lastId = 0;
  const install = (identity: PackageVersionIdentity, held: boolean): InstalledVersion => {
    lastId += 1;
    const version = storedVersion(identity, release, lastId);
    const stated = about(version);
    const ratingOf = cveRatingsIn(stated);
    const matched = matchVersion(version, stated, isJudged);
    const closes =
      livePatchOf(version.name, version.version) === null ? [] : cvesFixedIn(version, stated, isJudged);
    const statements = matched.map((statement) => rateOpenCves(statement, ratingOf));
    return { version, held, statements, closes };
  };
  const packages = distinct(snapshot.packages).map((entry) => install(entry, entry.held));
  const running = runningKernelSubject(snapshot);
  const host: StoredContent = {
    hostId: '' as HostId, // The host's id does not affect the assessment.
    snapshotId: 0 as unknown as UploadId, // Nor does its storage id.
    release,
    lifecycle: null,
    feed: null,
    facts: snapshot,
    bootedAt: snapshot.observed.bootedAt,
    firstSnapshotAt: new Date(0),
    moment: { at: null, knownAt: null },
    coreHistory: null,
    packages,
    runningKernel: running.kind === 'not_installed' ? install(running.subject, false) : null,
    upgrades: snapshot.upgrades,
    waivers: undefined,
  };
  const explain = (version: StoredPackageVersion): readonly JudgedStatement[] =>
    explainVersion(version, about(version), isJudged);
  return { release, endsAt, packages, assessment: assessStoredHost(host), explain };
}

/** All findings of a host, including unfixed and hidden ones. */
export function allFindings({ assessment }: Evaluation) {
  return selectFindings(assessment.findings, { includeUnfixed: true, includeHidden: true });
}

/** Package versions are stored once per host, even if a list repeats them. */
function distinct<Entry extends PackageVersionIdentity>(entries: readonly Entry[]): readonly Entry[] {
  const keyOf = (entry: Entry) => `${entry.name} ${entry.architecture} ${entry.version}`;
  return [...new Map(entries.map((entry) => [keyOf(entry), entry])).values()];
}

function storedVersion(identity: PackageVersionIdentity, release: Release, id: number): StoredPackageVersion {
  const { name, architecture, version, sourceName, sourceVersion, vendor, suite, module } = identity;
  const own = { name, architecture, version, sourceName, sourceVersion, vendor, suite, module };
  const { matchName, matchKey, verdict } = classifyVersion(own, release);
  // Row numbers, unique only within this host.
  return { id: id as PackageVersionId, releaseId: 0, release, ...own, matchName, matchKey, verdict };
}
