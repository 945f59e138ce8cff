import type { FixState, Statement } from '@plimsoll/model';
import { fixStates } from '@plimsoll/model';
import type { DueFacts } from '../due/due-facts.ts';
import type { DueTerms } from '../due/due-policy.ts';
import { type DueSpan, dueSpanOf, noDueSpan } from '../due/due-span.ts';
import { isLoaded } from '../kernel/running-kernel.ts';
import { distributionOf } from '../registry/distributions.ts';
import type { HostFacts } from './host-facts.ts';
import { isOffered } from './host-facts.ts';
import { type HostKernel, type HostKernels, noKernels, readHostKernels } from './host-kernels.ts';
import type { Opening } from './opening.ts';
import { isAffectedBy, type KernelStatement, type PackageSummary } from './package-summary.ts';
import {
  gatherOffers,
  kernelSupply,
  type Offers,
  packageSupply,
  type Supply,
  supplyState,
} from './supply.ts';

/** A host prepared once for all computations. */
export interface HostReading {
  /** Its upgrades are those for which isOffered is true. */
  readonly facts: HostFacts;
  readonly packages: readonly PackageSummary[];
  readonly kernels: HostKernels;
  /** By CVE: the package, or the client's own list, whose live patch closes it in the running kernel. */
  readonly livepatched: ReadonlyMap<string, string>;
  readonly offers: Offers;
  /** Packages that can have findings: the comparable ones; of kernels only the running one. */
  readonly rows: readonly HostRow[];
  /** The number of installed packages without a verdict. */
  readonly unknown: number;
}

/** A package that can have a finding. */
export interface HostRow {
  /** The judged package. */
  readonly subject: PackageSummary;
  /** The installed package: a different version than `subject` if the running kernel was replaced. */
  readonly installed: PackageSummary;
  readonly isKernel: boolean;
}

/** Determines which packages of a host count, and the offers for them. */
export function readHost(
  packages: readonly PackageSummary[],
  runningKernel: PackageSummary | null,
  reported: HostFacts,
): HostReading {
  const facts = { ...reported, upgrades: reported.upgrades.filter(isOffered) };
  const kernels = readHostKernels(packages, runningKernel, facts);
  return readRows(packages, { facts, kernels, livepatched: livepatchedCves(packages, facts) });
}

/** The same for packages that have nothing to do with kernels; see isOfKernel. */
export function readPackages(packages: readonly PackageSummary[], reported: HostFacts): HostReading {
  const facts = { ...reported, upgrades: reported.upgrades.filter(isOffered) };
  return readRows(packages, { facts, kernels: noKernels, livepatched: new Map() });
}

function readRows(
  packages: readonly PackageSummary[],
  known: Pick<HostReading, 'facts' | 'kernels' | 'livepatched'>,
): HostReading {
  const { facts, kernels } = known;
  const rows: HostRow[] = [];
  let unknown = unknownKernels(kernels);
  for (const subject of packages) {
    if (subject.kernel !== null) continue;
    if (subject.standing === 'comparable') rows.push({ subject, installed: subject, isKernel: false });
    else if (subject.standing === 'unknown') unknown += 1;
  }
  const { judged, running } = kernels;
  if (judged !== null) {
    const image = running.kind === 'installed' || running.kind === 'replaced' ? running.image.summary : null;
    rows.push({ subject: judged, installed: image ?? judged, isKernel: true });
  }
  for (const part of runningParts(packages, kernels)) {
    rows.push({ subject: part, installed: part, isKernel: true });
  }
  return { ...known, packages, offers: gatherOffers(packages, facts), rows, unknown };
}

/** The installed parts of the running kernel; parts of other kernels have no findings. */
function runningParts(
  packages: readonly PackageSummary[],
  { running }: HostKernels,
): readonly PackageSummary[] {
  if (running.kind !== 'installed') return [];
  const { release, flavour, summary } = running.image;
  return packages.filter(
    (other) =>
      other !== summary &&
      other.kernel?.role === 'part' &&
      other.standing === 'comparable' &&
      other.kernel.release === release &&
      other.kernel.flavour === flavour,
  );
}

/**
 * Installed kernels without a verdict: the running one if it cannot be judged, and all of them if the running one is
 * unknown. Kernels that do not run need no verdict.
 */
function unknownKernels({ running, judged, installed }: HostKernels): number {
  if (running.kind === 'none') {
    return running.reason === 'not_stated' ? installed.filter(({ summary }) => summary !== null).length : 0;
  }
  return judged === null ? 1 : 0;
}

/** The offers for a row. */
export function rowSupply(row: HostRow, { offers }: HostReading): Supply {
  return row.isKernel ? kernelSupply(row.subject, offers) : packageSupply(row.subject, offers);
}

/** The fix state of one statement about a row. */
export function statementState(
  statement: JudgedStatement,
  row: HostRow,
  supply: Supply,
  { kernels, facts, livepatched }: HostReading,
): FixState {
  if (row.isKernel && isLivepatched(statement, livepatched)) return 'livepatched';
  // Applies even if its own line has no fix: a superseded line gets none, and its successor is installed.
  if (row.isKernel && isClosedBy(kernels.newer, statement)) return 'pending_reboot';
  if (row.isKernel && isClosedBy(kernels.unfinished, statement)) return 'unfinished';
  return fixStateOf(statement.fix, supply, facts);
}

/** The fields of a statement on which its state depends. */
type JudgedStatement = Pick<Statement, 'cves' | 'openCves' | 'fix'> & { readonly advisory: number };

/** The state of a fix from the host's offers alone. */
export function fixStateOf(fix: Statement['fix'], supply: Supply, facts: HostFacts): FixState {
  if (fix.kind === 'unfixed') return fix.reason;
  return subscribed(supplyState(supply, fix.key), fix.service, facts);
}

/** An opening of a row with its fix state on this host. */
export interface OpeningState {
  readonly opening: Opening;
  readonly state: FixState;
}

/**
 * The fix states of a row's visible statements: one of each opening if the row is uniform, otherwise one of each
 * statement of the kernel, in their order.
 */
export function openingStates(row: HostRow, reading: HostReading): readonly OpeningState[] {
  const { kernel, openings } = row.subject;
  if (openings.length === 0) return [];
  const { facts } = reading;
  const supply = rowSupply(row, reading);
  if (kernel === null || isUniform(row, reading)) {
    return openings.map((opening) => ({ opening, state: fixStateOf(opening.fix, supply, facts) }));
  }
  return kernel.statements.map(({ advisory, openCves, opening }) => ({
    opening,
    state: statementState({ advisory, cves: openCves, fix: opening.fix }, row, supply, reading),
  }));
}

/** The fix states of each row's open statements; rows without open statements are absent. */
export function rowStates(reading: HostReading): ReadonlyMap<HostRow, readonly OpeningState[]> {
  const states = new Map<HostRow, readonly OpeningState[]>();
  for (const row of reading.rows) {
    const open = openingStates(row, reading);
    if (open.length > 0) states.set(row, open);
  }
  return states;
}

/** Whether the statements of an opening of a row have one state. They differ only with a live patch or a newer kernel. */
export function isUniform(
  { isKernel, subject }: HostRow,
  { kernels, livepatched }: Pick<HostReading, 'kernels' | 'livepatched'>,
): boolean {
  const isAlone = kernels.newer.length === 0 && kernels.unfinished.length === 0;
  return !isKernel || subject.kernel === null || (livepatched.size === 0 && isAlone);
}

/**
 * A host without a service does not miss that service's fixes in its repositories. One of which that is not known counts
 * as if it had the service, because a fix that could be missing calls for more than one that needs a subscription.
 */
function subscribed(state: FixState, service: string | null, { release, subscription }: HostFacts): FixState {
  const isOffered =
    state === 'installable' || state === 'held' || state === 'phased' || state === 'unfinished';
  if (service === null || isOffered || release === null) return state;
  const has = distributionOf(release)?.hasService(subscription, service) ?? 'no';
  return has === 'no' ? 'needs_subscription' : state;
}

/** The CVEs that the client lists, and those that loaded packages of live patches close. */
function livepatchedCves(
  packages: readonly PackageSummary[],
  { kernel }: HostFacts,
): ReadonlyMap<string, string> {
  const closed = new Map(
    kernel.livepatchedCves.map((cve) => [cve.toUpperCase(), 'the live patch client of the host']),
  );
  for (const { name, version, livePatch } of packages) {
    if (livePatch === null || !isLoaded(livePatch, kernel)) continue;
    for (const cve of livePatch.cves) if (!closed.has(cve)) closed.set(cve, `${name} ${version}, loaded`);
  }
  return closed;
}

/** Whether live patches close every CVE of a statement that is open on the package. */
export function isLivepatched(
  { cves, openCves = cves }: Pick<Statement, 'cves' | 'openCves'>,
  livepatched: HostReading['livepatched'],
): boolean {
  return livepatched.size > 0 && openCves.length > 0 && openCves.every((cve) => livepatched.has(cve));
}

/** Uses the other kernels' own advisories, because their source may differ. */
function isClosedBy(others: readonly HostKernel[], { advisory }: JudgedStatement): boolean {
  for (const { summary } of others) {
    if (summary?.standing === 'comparable' && !isAffectedBy(summary, advisory)) return true;
  }
  return false;
}

/** The first of several states in row order; null for an empty set. */
export function firstState(states: ReadonlySet<FixState>): FixState | null {
  return fixStates.find((state) => states.has(state)) ?? null;
}

/** When the finding of a row is due, as far as it does not depend on when the host got the package. */
export function rowDueSpan({ subject }: HostRow, { facts: { due }, livepatched }: HostReading): DueSpan {
  if (due === undefined) return noDueSpan;
  const { kernel } = subject;
  if (kernel === null || livepatched.size === 0) return summaryDueSpan(subject, due.terms);
  const open = kernel.statements.filter(
    ({ openCves }) => !isLivepatched({ cves: openCves, openCves }, livepatched),
  );
  return dueSpanOf(factsOf(open), due.terms);
}

function summaryDueSpan({ kernel, dues = [] }: PackageSummary, terms: DueTerms): DueSpan {
  return dueSpanOf(kernel === null ? dues : factsOf(kernel.statements), terms);
}

function factsOf(statements: readonly KernelStatement[]): readonly DueFacts[] {
  return statements.flatMap(({ due }) => due ?? []);
}
