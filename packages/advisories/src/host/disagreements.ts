import type { DisagreementKind, DisagreementReason } from '@plimsoll/model';
import { compareText } from '@plimsoll/model';
import { compareKeys } from '@plimsoll/versions';
import { isSameArchitecture } from '../matching/builds.ts';
import type { HostUpgrade } from './host-facts.ts';
import type { PackageSummary } from './package-summary.ts';
import { type HostReading, type HostRow, type OpeningState, rowSupply } from './read-host.ts';
import { comparableKey, kernelKey, type Offer } from './supply.ts';

/** One update of one package on which the host's package manager and the findings disagree. */
export interface Disagreement {
  readonly kind: DisagreementKind;
  readonly name: string;
  readonly architecture: string;
  readonly installedVersion: string;
  readonly candidateVersion: string;
  readonly repository: string;
  /** The advisories that the host's repositories name for the update. */
  readonly namedAdvisories: readonly string[];
  readonly reason: DisagreementReason;
}

/**
 * The disagreements between a host's package manager and its findings, sorted by name, architecture and candidate.
 * Skips packages that a rule exempts from findings (a kernel's companions, kernels that do not run) and packages that
 * are not installed yet.
 * @param states of the rows with open statements.
 */
export function disagreementsOf(
  reading: HostReading,
  states: ReadonlyMap<HostRow, readonly OpeningState[]>,
): readonly Disagreement[] {
  if (reading.facts.upgrades.length === 0) return [];
  return [...unexplainedUpdates(reading), ...unflaggedFindings(reading, states)].sort(
    (a, b) =>
      compareText(a.name, b.name) ||
      compareText(a.architecture, b.architecture) ||
      compareText(a.candidateVersion, b.candidateVersion) ||
      compareText(a.kind, b.kind) ||
      compareText(a.installedVersion, b.installedVersion),
  );
}

function unexplainedUpdates(reading: HostReading): readonly Disagreement[] {
  const flagged = reading.facts.upgrades.filter(
    ({ upgrade, change }) => upgrade.isSecurity && change !== 'new',
  );
  if (flagged.length === 0) return [];
  const byName = packagesNamed(reading.packages, new Set(flagged.map(({ upgrade }) => upgrade.name)));
  return flagged.flatMap((offer): Disagreement[] => {
    const reason = reasonAgainst(offer, byName.get(offer.upgrade.name) ?? [], reading);
    return reason === null ? [] : [disagreement('security_update_without_finding', offer, reason)];
  });
}

function packagesNamed(
  packages: readonly PackageSummary[],
  names: ReadonlySet<string>,
): ReadonlyMap<string, readonly PackageSummary[]> {
  const found = new Map<string, PackageSummary[]>();
  for (const summary of packages) {
    if (!names.has(summary.name)) continue;
    const others = found.get(summary.name);
    if (others === undefined) found.set(summary.name, [summary]);
    else others.push(summary);
  }
  return found;
}

/** Why an update flagged as security closes nothing; null if it closes something or belongs to no row. */
function reasonAgainst(
  offer: HostUpgrade,
  named: readonly PackageSummary[],
  { kernels }: HostReading,
): DisagreementReason | null {
  const own = named.filter(({ architecture }) =>
    isSameArchitecture(architecture, offer.upgrade.architecture),
  );
  const subjects = own.filter(({ kernel, standing }) => kernel === null && standing === 'comparable');
  const { judged } = kernels;
  const isForKernel = judged !== null && offer.source.kernelFlavour === judged.kernel?.flavour;
  const keys = [
    ...subjects.map((subject) => ({ subject, key: comparableKey(subject, offer) })),
    ...(isForKernel ? [{ subject: judged, key: kernelKey(judged, offer) }] : []),
  ];
  if (keys.some(({ subject, key }) => reaches(key, subject.lowestFix))) return null;
  if (keys.some(({ key }) => key !== null)) return 'not_affected';
  if (keys.length > 0) return 'candidate_not_comparable';
  return own.some(({ kernel, standing }) => kernel === null && standing === 'unknown') ? 'no_verdict' : null;
}

function unflaggedFindings(
  reading: HostReading,
  states: ReadonlyMap<HostRow, readonly OpeningState[]>,
): readonly Disagreement[] {
  const found: Disagreement[] = [];
  for (const [row, open] of states) {
    if (!open.some(({ state }) => state === 'installable')) continue;
    const closing = rowSupply(row, reading).offers.filter(
      ({ withheld, key }) => withheld === null && reaches(key, row.subject.weight?.lowestFix ?? null),
    );
    if (closing.some(({ upgrade }) => upgrade.upgrade.isSecurity)) continue;
    const best = closing.reduce<Offer | null>((a, b) => (a === null || isHigher(b, a) ? b : a), null);
    if (best === null) continue;
    const { name, architecture, version } = row.installed;
    found.push({
      ...disagreement('finding_without_security_update', best.upgrade, 'affected'),
      name,
      architecture,
      installedVersion: version,
    });
  }
  return found;
}

function reaches(key: Uint8Array | null, fix: Uint8Array | null): boolean {
  return key !== null && fix !== null && compareKeys(key, fix) >= 0;
}

function isHigher(a: Offer, b: Offer): boolean {
  return a.key !== null && (b.key === null || compareKeys(a.key, b.key) > 0);
}

function disagreement(
  kind: DisagreementKind,
  { upgrade }: HostUpgrade,
  reason: DisagreementReason,
): Disagreement {
  return {
    kind,
    name: upgrade.name,
    architecture: upgrade.architecture,
    installedVersion: upgrade.installedVersion,
    candidateVersion: upgrade.candidateVersion,
    repository: upgrade.repository,
    namedAdvisories: [...upgrade.advisoryIds].sort(compareText),
    reason,
  };
}
