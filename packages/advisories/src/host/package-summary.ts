import type {
  AdvisoryKey,
  PackageVersion,
  PackageVersionId,
  Severity,
  Statement,
  Verdict,
} from '@plimsoll/model';
import { compareKeys, versionKey } from '@plimsoll/versions';
import { isClosedLine, withoutRebuildSuffix } from '../builds.ts';
import { type DueFacts, dueFactsOf } from '../due/due-facts.ts';
import { kernelOf, type LivePatch, livePatchOf } from '../kernel/running-kernel.ts';
import { inTermsOf } from '../matching/source-versions.ts';
import { distributionOf } from '../registry/distributions.ts';
import { worseSeverity } from '../severity/rating.ts';
import type { AppliedWaiver, HostWaivers } from '../waivers/host-waivers.ts';
import type { AssessedPackage } from './host-facts.ts';
import { type Opening, openingKey, openingOf, openingsOf } from './opening.ts';

/** The data of one package version that counting a host needs: the same on every host that has it and the same waivers. */
export interface PackageSummary {
  readonly id: PackageVersionId;
  readonly name: string;
  readonly architecture: string;
  readonly version: string;
  readonly standing: 'comparable' | 'excluded' | 'unknown';
  /** Null unless comparable. */
  readonly matchName: string | null;
  /** The line of its builds; empty unless comparable. */
  readonly line: string;
  /** apt: whether the binary version equals the source version, so that a candidate's version also is its source's. */
  readonly versionIsSource: boolean;
  /** Null if no visible statement affects it that is not waived. */
  readonly weight: Weight | null;
  /** Null if nothing of it is waived. */
  readonly waived: WaivedSummary | null;
  /** Openings of the visible statements that are not waived. */
  readonly openings: readonly Opening[];
  /**
   * What due dates depend on of the visible statements that are not waived, each once; of kernels it is in their
   * statements. Absent: nothing, or not loaded.
   */
  readonly dues?: readonly DueFacts[];
  /** Sort key of the lowest version that fixes anything, including hidden advisories; null if nothing has a fix. */
  readonly lowestFix: Uint8Array | null;
  readonly kernel: KernelSummary | null;
  /** Sort key of what it is once its installation, which did not end, is finished; null: it ended, or is a kernel. */
  readonly reached: Uint8Array | null;
  /** Every advisory that affects it, hidden and waived ones, too; ascending. */
  readonly advisories: Int32Array;
  /** For a package with a live patch: the patch, and the CVEs that it closes. */
  readonly livePatch: (LivePatch & { readonly cves: readonly string[] }) | null;
  /** Set on the metapackage that pulls in kernels of this flavour. */
  readonly metapackageFlavour: string | null;
}

/** The combined visible statements about one package version. */
export interface Weight {
  /** The worst among statements with a fix, or among all if none has one. */
  readonly severity: Severity;
  readonly fixed: boolean;
  /** The worst among statements without a fix, on any of which the vendor has decided; null without such statements. */
  readonly unfixed: Severity | null;
  /** Whether the vendor has decided on any of them; findings that are entirely under investigation are not counted. */
  readonly decided: boolean;
  readonly knownExploited: boolean;
  /** Sort key of the lowest fixed version; null if no statement has a fix. */
  readonly lowestFix: Uint8Array | null;
}

/**
 * The statements of a bootable kernel or of its part; the host decides which of its findings another kernel closes.
 */
export interface KernelSummary {
  readonly role: 'image' | 'part';
  readonly release: string;
  readonly flavour: string;
  /** The visible statements that are not waived. */
  readonly statements: readonly KernelStatement[];
}

/** The waived part of a package version. */
export interface WaivedSummary {
  /** Whether it is a finding that counts as waived: no visible statement remains, and the vendor has decided on any. */
  readonly counted: boolean;
  /** The visible statements that are waived. */
  readonly statements: readonly KernelStatement[];
}

/** What counting needs of a statement about a kernel: an old kernel has thousands. */
export interface KernelStatement {
  readonly advisory: AdvisoryKey;
  /** The CVEs of the statement that are open on the kernel. */
  readonly openCves: readonly string[];
  readonly opening: Opening;
  /** Absent: not loaded. */
  readonly due?: DueFacts;
}

/** Combines a package version and the statements that affect it, for assessing and counting a host. */
export function assessedPackage(
  version: PackageVersion,
  statements: readonly Statement[],
  closes: readonly string[] = [],
): AssessedPackage {
  const { id, name, architecture, version: text, sourceName, sourceVersion, release, verdict } = version;
  return {
    id,
    name,
    architecture,
    version: text,
    sourceName,
    sourceVersion,
    release,
    verdict,
    statements: statements.map((statement) => inTermsOf(statement, version)),
    folded: [],
    ...(closes.length === 0 ? {} : { closes }),
  };
}

/** Summarises one package version for counting; see PackageSummary. */
export function summarisePackage(subject: AssessedPackage): PackageSummary {
  return summariseUnder(undefined, subject);
}

/** The same for hosts to which some waivers apply; undefined: none. */
export function summariseUnder(waivers: HostWaivers | undefined, subject: AssessedPackage): PackageSummary {
  const { id, name, architecture, version, verdict } = subject;
  const affecting = subject.statements.filter(isVisible);
  const covered = waivedIn(subject, waivers);
  const visible = covered.size === 0 ? affecting : affecting.filter((statement) => !covered.has(statement));
  const image = kernelOf(subject);
  const openings = openingsOf(visible, image === null);
  const kernel = image && {
    role: image.role,
    release: image.release,
    flavour: image.flavour,
    statements: visible.map((statement) => ({
      advisory: statement.advisory,
      openCves: statement.openCves ?? statement.cves,
      opening: openings.get(openingKey(openingOf(statement))) ?? openingOf(statement),
      ...dueOf(statement),
    })),
  };
  return {
    id,
    name,
    architecture,
    version,
    standing: matchedVerdict(subject).kind,
    matchName: verdict.kind === 'comparable' ? verdict.matchName : null,
    line: verdict.kind === 'comparable' ? verdict.line : '',
    versionIsSource: verdict.kind === 'comparable' && withoutRebuildSuffix(version) === verdict.matchVersion,
    weight: weigh(visible),
    waived: waivedSummaryOf(affecting, covered),
    openings: [...openings.values()],
    ...(image === null ? duesOf(visible) : {}),
    lowestFix: lowestFixOf(subject.statements),
    kernel,
    reached: reachedBy(subject),
    advisories: advisoriesOf(subject),
    livePatch: livePatchIn(subject),
    metapackageFlavour:
      verdict.kind === 'excluded' && verdict.reason === 'kernel_metapackage' ? verdict.flavour : null,
  };
}

function reachedBy({ verdict, release }: AssessedPackage): Uint8Array | null {
  if (verdict.kind !== 'comparable' || verdict.reached === undefined) return null;
  const scheme = distributionOf(release)?.scheme;
  const parsed = scheme === undefined ? null : versionKey(scheme, verdict.reached);
  return parsed?.kind === 'key' ? parsed.key : null;
}

function dueOf(statement: Statement): Pick<KernelStatement, 'due'> {
  const due = dueFactsOf(statement);
  return due === null ? {} : { due };
}

function duesOf(visible: readonly Statement[]): Pick<PackageSummary, 'dues'> {
  const facts = visible.flatMap((statement) => dueFactsOf(statement) ?? []);
  if (facts.length === 0) return {};
  return { dues: [...new Map(facts.map((each) => [JSON.stringify(each), each])).values()] };
}

/**
 * The visible statements about a package that waivers cover. An advisory of which any statement about the package is not
 * covered is not waived at all.
 */
export function waivedIn(
  subject: AssessedPackage,
  waivers: HostWaivers | undefined,
): ReadonlyMap<Statement, AppliedWaiver> {
  const covered = new Map<Statement, AppliedWaiver>();
  if (waivers === undefined) return covered;
  const open = new Set<AdvisoryKey>();
  for (const statement of subject.statements) {
    if (!isVisible(statement)) continue;
    const waiver = waivers.coverOf(statement, subject);
    if (waiver === null) open.add(statement.advisory);
    else covered.set(statement, waiver);
  }
  for (const statement of [...covered.keys()]) if (open.has(statement.advisory)) covered.delete(statement);
  return covered;
}

/** The visible statements about a package of which waivers name an open CVE or the advisory. */
export function concernedBy(subject: AssessedPackage, waivers: HostWaivers): readonly Statement[] {
  return subject.statements.filter(
    (statement) => isVisible(statement) && waivers.concerns(statement, subject),
  );
}

function waivedSummaryOf(
  visible: readonly Statement[],
  covered: ReadonlyMap<Statement, AppliedWaiver>,
): WaivedSummary | null {
  if (covered.size === 0) return null;
  return {
    counted: covered.size === visible.length && visible.some(isDecided),
    statements: [...covered.keys()].map((statement) => ({
      advisory: statement.advisory,
      openCves: statement.openCves ?? statement.cves,
      opening: { ...openingOf(statement), advisories: [] },
    })),
  };
}

/**
 * Whether a package can change the totals of a host that has it. Any other package counts only if it is held or has the
 * name of an update that the host's package manager marks as security.
 */
export function isNotable({
  standing,
  openings,
  weight,
  waived,
  kernel,
  livePatch,
  metapackageFlavour,
}: PackageSummary): boolean {
  return (
    standing === 'unknown' ||
    waived !== null ||
    openings.length > 0 ||
    weight !== null ||
    kernel !== null ||
    livePatch !== null ||
    metapackageFlavour !== null
  );
}

/** Most versions have none: a list of each takes more memory than the rest of its summary. */
const noAdvisories = new Int32Array();

function advisoriesOf({ statements }: AssessedPackage): Int32Array {
  if (statements.length === 0) return noAdvisories;
  return Int32Array.from(new Set(statements.map(({ advisory }) => advisory))).sort();
}

/** Whether an advisory is among those that affect a package. */
export function isAffectedBy({ advisories }: Pick<PackageSummary, 'advisories'>, advisory: number): boolean {
  let low = 0;
  let high = advisories.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((advisories[middle] ?? advisory) < advisory) low = middle + 1;
    else high = middle;
  }
  return advisories[low] === advisory;
}

function livePatchIn({ name, version, closes = [] }: AssessedPackage): PackageSummary['livePatch'] {
  const patch = closes.length === 0 ? null : livePatchOf(name, version);
  return patch && { ...patch, cves: closes };
}

/**
 * Whether a statement counts for a finding's severity and state; a statement that the vendor rates negligible is
 * hidden.
 */
export function isVisible(statement: Statement): boolean {
  return statement.severity !== 'none';
}

/**
 * The verdict of a package version after matching: its classification, except that a build of a closed line has a
 * verdict only if its line's advisories affect it; see isClosedLine.
 */
export function matchedVerdict({
  verdict,
  statements,
}: Pick<AssessedPackage, 'verdict' | 'statements'>): Verdict {
  if (verdict.kind !== 'comparable' || !isClosedLine(verdict.line) || statements.length > 0) return verdict;
  return { kind: 'unknown', reason: 'other_line', detail: verdict.line, kernel: verdict.kernel };
}

/**
 * Combines the visible statements about one package version; null without such statements (HTTP contract, "finding").
 */
export function weigh(visible: readonly Statement[]): Weight | null {
  const fixed = visible.filter(({ fix }) => fix.kind === 'fixed');
  const decisive = fixed.length > 0 ? fixed : visible;
  const [first] = decisive;
  if (first === undefined) return null;
  const others = visible.filter(({ fix }) => fix.kind !== 'fixed');
  return {
    severity: worstOf(decisive),
    fixed: fixed.length > 0,
    unfixed: others.some(isDecided) ? worstOf(others) : null,
    decided: decisive.some(isDecided),
    knownExploited: visible.some(({ knownExploited }) => knownExploited),
    lowestFix: lowestFixOf(fixed),
  };
}

function worstOf(statements: readonly Statement[]): Severity {
  return statements.map(({ severity }) => severity).reduce(worseSeverity);
}

/** Whether the vendor has decided on a statement: others are in no count. */
export function isDecided({ fix }: Statement): boolean {
  return fix.kind === 'fixed' || fix.reason !== 'under_investigation';
}

function lowestFixOf(statements: readonly Statement[]): Uint8Array | null {
  return statements.reduce<Uint8Array | null>((lowest, { fix }) => lowerFix(lowest, fix), null);
}

function lowerFix(lowest: Uint8Array | null, fix: Statement['fix']): Uint8Array | null {
  if (fix.kind === 'unfixed') return lowest;
  return lowest === null || compareKeys(fix.key, lowest) < 0 ? fix.key : lowest;
}
