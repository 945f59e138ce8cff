import type { FixState } from '@plimsoll/model';
import { fixStates } from '@plimsoll/model';
import type { Statement } from '../matching/statement.ts';
import { distributionOf } from '../registry.ts';
import type { HostFacts, HostUpgrade } from './host-facts.ts';
import { type HostKernels, readHostKernels } from './host-kernels.ts';
import { isOffered } from './host-upgrade.ts';
import type { PackageSummary } from './package-summary.ts';
import {
  gatherOffers,
  kernelSupply,
  type Offers,
  packageSupply,
  type Supply,
  supplyState,
} from './supply.ts';

/** A host read once: what everything about it is computed from. */
export interface HostReading {
  /** Its upgrades are those that isOffered. */
  readonly facts: HostFacts;
  /** Offers of a lower version than the installed one. */
  readonly downgrades: readonly HostUpgrade[];
  readonly packages: readonly PackageSummary[];
  readonly kernels: HostKernels;
  readonly offers: Offers;
  /** Packages that can have findings: the comparable ones, and of the kernels the running one. */
  readonly rows: readonly HostRow[];
  /** How many installed packages have no verdict. */
  readonly unknown: number;
}

/** A package that can have a finding. */
export interface HostRow {
  /** What is judged. */
  readonly subject: PackageSummary;
  /** What is installed: another version than `subject` where the running kernel was replaced. */
  readonly installed: PackageSummary;
  readonly isKernel: boolean;
}

/** Reads a host: which packages count, and what is offered for them. */
export function readHost(
  packages: readonly PackageSummary[],
  runningKernel: PackageSummary | null,
  reported: HostFacts,
): HostReading {
  const facts = { ...reported, upgrades: reported.upgrades.filter(isOffered) };
  const kernels = readHostKernels(packages, runningKernel, facts);
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
  return {
    facts,
    downgrades: reported.upgrades.filter(({ change }) => change === 'downgrade'),
    packages,
    kernels,
    offers: gatherOffers(packages, facts),
    rows,
    unknown,
  };
}

/** The installed parts of the running kernel; those of kernels that do not run have no findings. */
function runningParts(
  packages: readonly PackageSummary[],
  { running }: HostKernels,
): readonly PackageSummary[] {
  if (running.kind !== 'installed') return [];
  const { release, flavour } = running.image;
  return packages.filter(
    ({ kernel, standing }) =>
      kernel?.role === 'part' &&
      standing === 'comparable' &&
      kernel.release === release &&
      kernel.flavour === flavour,
  );
}

/**
 * Installed kernels without a verdict: the running one where it cannot be judged, and all of them where nothing says
 * which runs. Those that do not run need none.
 */
function unknownKernels({ running, judged, installed }: HostKernels): number {
  if (running.kind === 'none') {
    return running.reason === 'not_stated' ? installed.filter(({ summary }) => summary !== null).length : 0;
  }
  return judged === null ? 1 : 0;
}

/** What the host is offered for a row. */
export function rowSupply(row: HostRow, { offers }: HostReading): Supply {
  return row.isKernel ? kernelSupply(row.subject, offers) : packageSupply(row.subject, offers);
}

/** What stands between one statement about a row and its fix. */
export function statementState(
  statement: Statement,
  row: HostRow,
  supply: Supply,
  { kernels, facts }: HostReading,
): FixState {
  const { fix } = statement;
  if (row.isKernel && isLivepatched(statement, facts)) return 'livepatched';
  // Also where its own line has no fix: a line that was superseded gets none, and the one that followed is installed.
  if (row.isKernel && isClosedByNewer(statement, kernels)) return 'pending_reboot';
  if (fix.kind === 'unfixed') return fix.reason;
  return subscribed(supplyState(supply, fix.key), fix.service, facts);
}

/** A fix that only a service ships is not missing from the repositories of a host that lacks the service. */
function subscribed(state: FixState, service: string | null, { release, subscription }: HostFacts): FixState {
  if (service === null || state === 'installable' || state === 'held' || release === null) return state;
  return distributionOf(release)?.hasService(subscription, service) === true ? state : 'needs_subscription';
}

function isLivepatched({ cves }: Statement, { kernel: { livepatchedCves } }: HostFacts): boolean {
  return livepatchedCves.length > 0 && cves.length > 0 && cves.every((cve) => livepatchedCves.includes(cve));
}

/** Judged by the advisories of the newer kernel itself, because it may be built from another source. */
function isClosedByNewer({ advisory }: Statement, { newer }: HostKernels): boolean {
  for (const { summary } of newer) {
    if (summary?.standing === 'comparable' && summary.kernel?.advisories.has(advisory) === false) return true;
  }
  return false;
}

/** The state of a row whose visible statements have a fix; null where none has, or none is visible. */
export function fixedRowState(row: HostRow, reading: HostReading): FixState | null {
  const { weight, kernel } = row.subject;
  if (weight?.lowestFix == null) return null;
  const supply = rowSupply(row, reading);
  if (!row.isKernel || kernel === null) return supplyState(supply, weight.lowestFix);
  const states = new Set<FixState>();
  for (const statement of kernel.statements) {
    const state = statementState(statement, row, supply, reading);
    if (state === 'installable') return state; // The first of all; a kernel has thousands of statements.
    states.add(state);
  }
  return firstState(states);
}

/** The first of several states in the order in which a row takes them; null of none. */
export function firstState(states: ReadonlySet<FixState>): FixState | null {
  return fixStates.find((state) => states.has(state)) ?? null;
}
