import type { FixState, Statement } from '@plimsoll/model';
import { fixStates } from '@plimsoll/model';
import { distributionOf } from '../registry.ts';
import type { HostFacts, HostUpgrade } from './host-facts.ts';
import { type HostKernels, readHostKernels } from './host-kernels.ts';
import { isOffered } from './host-upgrade.ts';
import { type Opening, openingOf } from './opening.ts';
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

/** The fix state of one statement about a row. */
export function statementState(
  statement: Statement,
  row: HostRow,
  supply: Supply,
  { kernels, facts }: HostReading,
): FixState {
  if (row.isKernel && isLivepatched(statement, facts)) return 'livepatched';
  // Also where its own line has no fix: a line that was superseded gets none, and the one that followed is installed.
  if (row.isKernel && isClosedByNewer(statement, kernels)) return 'pending_reboot';
  return fixStateOf(statement.fix, supply, facts);
}

/** The state of a fix by what the host is offered alone. */
function fixStateOf(fix: Statement['fix'], supply: Supply, facts: HostFacts): FixState {
  if (fix.kind === 'unfixed') return fix.reason;
  return subscribed(supplyState(supply, fix.key), fix.service, facts);
}

/** An opening of a row with its fix state on this host. */
export interface OpeningState {
  readonly opening: Opening;
  readonly state: FixState;
}

/** The fix states of a row's visible statements, each combination once. */
export function openingStates(row: HostRow, reading: HostReading): readonly OpeningState[] {
  const { kernel, openings } = row.subject;
  if (openings.length === 0) return [];
  const { facts, kernels } = reading;
  const supply = rowSupply(row, reading);
  // Only a live patch or a newer kernel tells statements of one opening apart.
  const isUniform =
    kernel === null || (facts.kernel.livepatchedCves.length === 0 && kernels.newer.length === 0);
  if (!row.isKernel || isUniform) {
    return openings.map((opening) => ({ opening, state: fixStateOf(opening.fix, supply, facts) }));
  }
  return kernel.statements.map((statement) => ({
    opening: openingOf(statement),
    state: statementState(statement, row, supply, reading),
  }));
}

/** A fix that only a service ships is not missing from the repositories of a host that lacks the service. */
function subscribed(state: FixState, service: string | null, { release, subscription }: HostFacts): FixState {
  const isOffered = state === 'installable' || state === 'held' || state === 'phased';
  if (service === null || isOffered || release === null) return state;
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

/** The first of several states in the order in which a row takes them; null of none. */
export function firstState(states: ReadonlySet<FixState>): FixState | null {
  return fixStates.find((state) => states.has(state)) ?? null;
}
