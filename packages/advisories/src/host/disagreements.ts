import type { DisagreementKind, DisagreementReason } from '@plimsoll/model';
import { compareText, groupBy } from '@plimsoll/model';
import { compareKeys } from '@plimsoll/versions';
import { isSameArchitecture } from '../builds.ts';
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
  return [
    ...unexplainedUpdates(reading).map(({ offer, reason }) =>
      disagreement('security_update_without_finding', offer, reason),
    ),
    ...unflaggedFindings(reading, states).map(({ row, offer }) => {
      const { name, architecture, version: installedVersion } = row.installed;
      const kind = 'finding_without_security_update';
      return { ...disagreement(kind, offer, 'affected'), name, architecture, installedVersion };
    }),
  ].sort(
    (a, b) =>
      compareText(a.name, b.name) ||
      compareText(a.architecture, b.architecture) ||
      compareText(a.candidateVersion, b.candidateVersion) ||
      compareText(a.kind, b.kind) ||
      compareText(a.installedVersion, b.installedVersion),
  );
}

/** The number of disagreements that disagreementsOf lists. */
export function countDisagreements(
  reading: HostReading,
  states: ReadonlyMap<HostRow, readonly OpeningState[]>,
): number {
  return unexplainedUpdates(reading).length + unflaggedFindings(reading, states).length;
}

function unexplainedUpdates(
  reading: HostReading,
): readonly { readonly offer: HostUpgrade; readonly reason: DisagreementReason }[] {
  const flagged = reading.facts.upgrades.filter(
    ({ upgrade, change }) => upgrade.isSecurity && change !== 'new',
  );
  if (flagged.length === 0) return [];
  const names = new Set(flagged.map(({ upgrade }) => upgrade.name));
  const byName = groupBy(
    reading.packages.filter(({ name }) => names.has(name)),
    ({ name }) => name,
  );
  const found: { readonly offer: HostUpgrade; readonly reason: DisagreementReason }[] = [];
  for (const offer of flagged) {
    const reason = reasonAgainst(offer, byName.get(offer.upgrade.name) ?? [], reading);
    if (reason !== null) found.push({ offer, reason });
  }
  return found;
}

/** Why an update flagged as security closes nothing; null if it closes something or belongs to no row. */
function reasonAgainst(
  offer: HostUpgrade,
  named: readonly PackageSummary[],
  { kernels: { judged } }: HostReading,
): DisagreementReason | null {
  let isCompared = false;
  let hasSubject = false;
  let hasUnknown = false;
  for (const subject of named) {
    const { architecture, kernel, standing, lowestFix } = subject;
    if (kernel !== null || !isSameArchitecture(architecture, offer.upgrade.architecture)) continue;
    hasUnknown ||= standing === 'unknown';
    if (standing !== 'comparable') continue;
    const key = comparableKey(subject, offer);
    if (reaches(key, lowestFix)) return null;
    hasSubject = true;
    isCompared ||= key !== null;
  }
  if (judged !== null && offer.source.kernelFlavour === judged.kernel?.flavour) {
    const key = kernelKey(judged, offer);
    if (reaches(key, judged.lowestFix)) return null;
    hasSubject = true;
    isCompared ||= key !== null;
  }
  if (isCompared) return 'not_affected';
  if (hasSubject) return 'candidate_not_comparable';
  return hasUnknown ? 'no_verdict' : null;
}

/** Findings that an update would close that the package manager does not mark as security, with the highest of these. */
function unflaggedFindings(
  reading: HostReading,
  states: ReadonlyMap<HostRow, readonly OpeningState[]>,
): readonly { readonly row: HostRow; readonly offer: HostUpgrade }[] {
  if (reading.facts.upgrades.length === 0) return [];
  const found: { readonly row: HostRow; readonly offer: HostUpgrade }[] = [];
  for (const [row, open] of states) {
    if (!open.some(({ state }) => state === 'installable')) continue;
    const fix = row.subject.weight?.lowestFix ?? null;
    const closing = rowSupply(row, reading).offers.filter(
      ({ withheld, key }) => withheld === null && reaches(key, fix),
    );
    if (closing.some(({ upgrade }) => upgrade.upgrade.isSecurity)) continue;
    const best = closing.reduce<Offer | null>((a, b) => (a === null || isHigher(b, a) ? b : a), null);
    if (best !== null) found.push({ row, offer: best.upgrade });
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
