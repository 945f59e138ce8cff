import type { PackageVersionId, Severity, Statement, Verdict } from '@plimsoll/model';
import { compareKeys } from '@plimsoll/versions';
import { withoutRebuildSuffix } from '../apt/rebuild-suffix.ts';
import { isClosedLine } from '../matching/closed-line.ts';
import { isVisible } from '../matching/statement.ts';
import { worseSeverity } from '../severity/worse-severity.ts';
import type { AssessedPackage } from './host-facts.ts';
import { type Opening, openingsOf } from './opening.ts';

/** Everything that counting a host needs of one package version: the same on every host that has it. */
export interface PackageSummary {
  readonly id: PackageVersionId;
  readonly name: string;
  readonly architecture: string;
  readonly version: string;
  readonly standing: 'comparable' | 'excluded' | 'unknown';
  /** Null unless comparable. */
  readonly matchName: string | null;
  /** Of its builds; empty unless comparable. */
  readonly line: string;
  /** apt: whether the binary version is the source version, so that a candidate's may stand for its source's. */
  readonly versionIsSource: boolean;
  /** Null where nothing visible affects it. */
  readonly weight: Weight | null;
  /** Of the visible statements. */
  readonly openings: readonly Opening[];
  /** Sort key of the lowest version that fixes anything, hidden advisories included; null where nothing has a fix. */
  readonly lowestFix: Uint8Array | null;
  readonly kernel: KernelSummary | null;
  /** Set on the metapackage that pulls in kernels of this flavour. */
  readonly metapackageFlavour: string | null;
}

/** What the visible statements about one package version come to. */
export interface Weight {
  /** The worst among statements with a fix, or of all where none has one. */
  readonly severity: Severity;
  readonly fixed: boolean;
  /** Whether the vendor has decided on any of them; findings that all are under investigation are in no count. */
  readonly decided: boolean;
  readonly knownExploited: boolean;
  /** Sort key of the lowest fixed version; null where no statement has a fix. */
  readonly lowestFix: Uint8Array | null;
}

/** What a kernel that boots, or a part of one, brings along: which of its findings another kernel closes depends on the host. */
export interface KernelSummary {
  readonly role: 'image' | 'part';
  readonly release: string;
  readonly flavour: string;
  /** The visible ones. */
  readonly statements: readonly Statement[];
  /** Every advisory that affects it. */
  readonly advisories: ReadonlySet<number>;
}

/** Sums up one package version for counting; see PackageSummary. */
export function summarisePackage(subject: AssessedPackage): PackageSummary {
  const { id, name, architecture, version, verdict } = subject;
  const visible = subject.statements.filter(isVisible);
  const image = verdict.kind === 'excluded' ? null : verdict.kernel;
  const kernel = image && {
    role: image.role,
    release: image.release,
    flavour: image.flavour,
    statements: visible,
    advisories: new Set<number>(subject.statements.map(({ advisory }) => advisory)),
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
    openings: openingsOf(visible),
    lowestFix: lowestFixOf(subject.statements),
    kernel,
    metapackageFlavour:
      verdict.kind === 'excluded' && verdict.reason === 'kernel_metapackage' ? verdict.flavour : null,
  };
}

/**
 * What can be said of a package version once it was matched: as it was classified, but a build of a closed line is judged
 * only as far as its line's advisories affect it; see isClosedLine.
 */
export function matchedVerdict({
  verdict,
  statements,
}: Pick<AssessedPackage, 'verdict' | 'statements'>): Verdict {
  if (verdict.kind !== 'comparable' || !isClosedLine(verdict.line) || statements.length > 0) return verdict;
  return { kind: 'unknown', reason: 'other_line', detail: verdict.line, kernel: verdict.kernel };
}

/** Weighs the visible statements about one package version; null where there are none (HTTP contract, "finding"). */
export function weigh(visible: readonly Statement[]): Weight | null {
  const fixed = visible.filter(({ fix }) => fix.kind === 'fixed');
  const decisive = fixed.length > 0 ? fixed : visible;
  const [first] = decisive;
  if (first === undefined) return null;
  return {
    severity: decisive.map(({ severity }) => severity).reduce(worseSeverity),
    fixed: fixed.length > 0,
    decided: decisive.some(isDecided),
    knownExploited: visible.some(({ knownExploited }) => knownExploited),
    lowestFix: lowestFixOf(fixed),
  };
}

function isDecided({ fix }: Statement): boolean {
  return fix.kind === 'fixed' || fix.reason !== 'under_investigation';
}

function lowestFixOf(statements: readonly Statement[]): Uint8Array | null {
  return statements.reduce<Uint8Array | null>((lowest, { fix }) => lowerFix(lowest, fix), null);
}

function lowerFix(lowest: Uint8Array | null, fix: Statement['fix']): Uint8Array | null {
  if (fix.kind === 'unfixed') return lowest;
  return lowest === null || compareKeys(fix.key, lowest) < 0 ? fix.key : lowest;
}
