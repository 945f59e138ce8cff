import type { AdvisoryKey, MatchCause, PackageVersionId, Severity, Statement } from '@plimsoll/model';

/** A match as stored, with what its statement said before the change. */
export interface StoredMatch {
  readonly statementId: number;
  readonly advisory: AdvisoryKey;
  /** Null: all CVEs of the statement. */
  readonly openCves: readonly string[] | null;
  /** Null: that of the statement. */
  readonly severity: Severity | null;
  /** The CVEs that are open. */
  readonly cves: readonly string[];
  /** Whether a CVE of its statement was known to be exploited. */
  readonly knownExploited: boolean;
  readonly since: Date;
  readonly sinceCause: MatchCause;
  readonly knownAt: Date;
}

/** A match to be stored. */
export interface FreshMatch {
  readonly statement: Statement;
  readonly openCves: readonly string[] | null;
  readonly severity: Severity | null;
}

/** A match that begins or goes on in another form. */
export interface BegunMatch extends FreshMatch {
  readonly versionId: PackageVersionId;
  readonly cause: MatchCause;
  readonly knownAt: Date;
}

/** A match that ends. */
export interface EndedMatch extends StoredMatch {
  readonly versionId: PackageVersionId;
  readonly untilCause: MatchCause;
}

/** What changes in the matches of package versions. A match in `altered` is also in `ended`, as it was. */
export interface MatchDifferences {
  readonly begun: readonly BegunMatch[];
  readonly altered: readonly BegunMatch[];
  readonly ended: readonly EndedMatch[];
}

/** How a statement came to count, or not to count, in the change. */
export type StatementCause = (statementId: number) => MatchCause;

/**
 * The differences between the stored and the fresh matches of one package version. A match that begins as others about
 * all of its CVEs end is known as long as these, and the cause is `source_changed`, unless the rules changed. A match
 * whose own record says nothing new is also known as long as others that go on.
 */
export function matchDifferences(
  { versionId, at }: { readonly versionId: PackageVersionId; readonly at: Date },
  stored: readonly StoredMatch[],
  fresh: readonly FreshMatch[],
  causeOf: StatementCause,
): MatchDifferences {
  const before = new Map(stored.map((match) => [match.statementId, match]));
  const kept = new Set<number>();
  const begun: BegunMatch[] = [];
  const altered: BegunMatch[] = [];
  const replaced: StoredMatch[] = [];
  for (const match of fresh) {
    const { statementId } = match.statement;
    const known = before.get(statementId);
    if (known === undefined) {
      begun.push({ ...match, versionId, cause: causeOf(statementId), knownAt: at });
      continue;
    }
    kept.add(statementId);
    if (isEqual(known, match)) continue;
    replaced.push(known);
    altered.push({ ...match, versionId, cause: causeOf(statementId), knownAt: known.knownAt });
  }
  const gone = stored.filter(({ statementId }) => !kept.has(statementId));
  const stillOpen = new Set(fresh.flatMap(openCvesOf));
  return {
    begun: begun.map((match) => continuing(match, match.cause === 'source_changed' ? stored : gone)),
    altered,
    ended: [
      ...gone.map((match) => ({
        ...match,
        versionId,
        untilCause: causeOfEnd(match, causeOf(match.statementId), stillOpen),
      })),
      ...replaced.map((match) => ({ ...match, versionId, untilCause: causeOf(match.statementId) })),
    ],
  };
}

function isEqual(stored: StoredMatch, fresh: FreshMatch): boolean {
  return (
    stored.severity === fresh.severity &&
    (stored.openCves?.join(' ') ?? null) === (fresh.openCves?.join(' ') ?? null)
  );
}

function openCvesOf({ statement, openCves }: FreshMatch): readonly string[] {
  return openCves ?? statement.cves;
}

/** A match that takes the age of earlier matches, if these cover all its CVEs. */
function continuing(match: BegunMatch, earlier: readonly StoredMatch[]): BegunMatch {
  const cves = openCvesOf(match);
  if (cves.length === 0 || earlier.length === 0) return match;
  let knownAt = 0;
  for (const cve of cves) {
    const times = earlier.filter((known) => known.cves.includes(cve)).map(({ knownAt: at }) => at.getTime());
    if (times.length === 0) return match;
    knownAt = Math.max(knownAt, Math.min(...times));
  }
  const cause = match.cause === 'rules_changed' ? match.cause : 'source_changed';
  return { ...match, cause, knownAt: new Date(knownAt) };
}

function causeOfEnd({ cves }: StoredMatch, cause: MatchCause, open: ReadonlySet<string>): MatchCause {
  if (cause === 'rules_changed' || cves.length === 0) return cause;
  return cves.every((cve) => open.has(cve)) ? 'source_changed' : cause;
}
