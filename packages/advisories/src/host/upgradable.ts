import type { Severity, Statement } from '@plimsoll/model';
import { compareText } from '@plimsoll/model';
import { compareKeys } from '@plimsoll/versions';
import { isSameArchitecture } from '../builds.ts';
import { worseSeverity } from '../severity/rating.ts';
import type { OfferChange } from '../upgrade/offer-change.ts';
import type { AssessedPackage, HostUpgrade } from './host-facts.ts';
import type { PackageSummary } from './package-summary.ts';
import type { HostReading, HostRow } from './read-host.ts';
import { comparableKey, isHeld } from './supply.ts';

/** An available update of a host, or an offered downgrade (HTTP contract, UpgradablePackage). */
export interface UpgradableRow {
  readonly name: string;
  readonly architecture: string;
  readonly installedVersion: string;
  readonly candidateVersion: string;
  readonly change: Exclude<OfferChange, 'new' | 'same'>;
  readonly repository: string;
  /** The package manager's classification. */
  readonly isSecurity: boolean;
  /** By the operator. */
  readonly held: boolean;
  /** Offered to other hosts first. */
  readonly phased: boolean;
  /** The advisories that the candidate closes, and those named by the host's repositories; sorted. */
  readonly advisoryIds: readonly string[];
  /** The worst severity it closes; null if it closes no known advisory. */
  readonly severity: Severity | null;
}

/** Orders offers by name, architecture, candidate, the version that it replaces, and repository. */
export function compareUpgrades({ upgrade: a }: HostUpgrade, { upgrade: b }: HostUpgrade): number {
  return (
    compareText(a.name, b.name) ||
    compareText(a.architecture, b.architecture) ||
    compareText(a.candidateVersion, b.candidateVersion) ||
    compareText(a.installedVersion, b.installedVersion) ||
    compareText(a.repository, b.repository)
  );
}

/**
 * The rows of some of a host's offers, in order. Skips packages that would be newly installed. `subjectOf` returns the
 * package of a summary.
 */
export function upgradableRows(
  offers: readonly HostUpgrade[],
  reading: HostReading,
  subjectOf: (summary: PackageSummary) => AssessedPackage,
): readonly UpgradableRow[] {
  const index = indexRows(reading.rows);
  return offers.flatMap((offer): UpgradableRow[] => {
    const { upgrade, change } = offer;
    if (change === 'new' || change === 'same') return [];
    const closed = closedBy(offer, index, subjectOf);
    return [
      {
        name: upgrade.name,
        architecture: upgrade.architecture,
        installedVersion: upgrade.installedVersion,
        candidateVersion: upgrade.candidateVersion,
        change,
        repository: upgrade.repository,
        isSecurity: upgrade.isSecurity,
        held: isHeld(upgrade, reading.offers),
        phased: upgrade.phased,
        advisoryIds: [
          ...new Set([...closed.map(({ externalId }) => externalId), ...upgrade.advisoryIds]),
        ].sort(compareText),
        severity: closed.length === 0 ? null : closed.map(({ severity }) => severity).reduce(worseSeverity),
      },
    ];
  });
}

/** Rows by the name of their offers; kernel offers have many names. */
interface RowIndex {
  readonly byName: ReadonlyMap<string, readonly HostRow[]>;
  readonly kernel: HostRow | null;
}

function indexRows(rows: readonly HostRow[]): RowIndex {
  const byName = new Map<string, HostRow[]>();
  for (const row of rows) {
    if (row.isKernel) continue;
    const others = byName.get(row.subject.name);
    if (others === undefined) byName.set(row.subject.name, [row]);
    else others.push(row);
  }
  return { byName, kernel: rows.find(({ isKernel }) => isKernel) ?? null };
}

/** The rows that an update applies to. */
function rowsFor({ upgrade, source }: HostUpgrade, { byName, kernel }: RowIndex): readonly HostRow[] {
  const isForKernel = kernel !== null && source.kernelFlavour === kernel.subject.kernel?.flavour;
  const own = (byName.get(upgrade.name) ?? []).filter(({ subject }) =>
    isSameArchitecture(upgrade.architecture, subject.architecture),
  );
  return isForKernel ? [...own, kernel] : own;
}

function closedBy(
  offer: HostUpgrade,
  index: RowIndex,
  subjectOf: (summary: PackageSummary) => AssessedPackage,
): readonly Statement[] {
  return rowsFor(offer, index).flatMap(({ subject }) => {
    const key = comparableKey(subject, offer);
    if (key === null) return [];
    return subjectOf(subject).statements.filter(
      ({ fix }) => fix.kind === 'fixed' && compareKeys(key, fix.key) >= 0,
    );
  });
}
