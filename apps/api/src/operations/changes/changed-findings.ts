import type { Assessment, Finding, FindingAdvisory } from '@plimsoll/advisories';
import type { HostChanges } from '@plimsoll/contract';
import type { FindingOrigin, HostToAssess, InstalledVersion } from '@plimsoll/db';
import { compareSeverity, groupBy, type PackageVersionId } from '@plimsoll/model';
import { judgedVersion, originOf } from '../packages/finding-background.ts';

/** A host at one of the two times, with its assessment by what was known then. */
export interface Side {
  readonly host: HostToAssess;
  readonly assessment: Assessment;
}

/** An advisory that is open against a package of a host. */
export interface OpenFinding {
  readonly finding: Finding;
  readonly advisory: FindingAdvisory;
  readonly versionId: PackageVersionId;
  readonly origin: FindingOrigin;
  /** Whether a waiver covers it: then it is not open. */
  readonly isWaived: boolean;
}

/** A finding that is open on one side only. */
export interface DifferingFinding extends OpenFinding {
  /** Whether it is on the other side, too, but waived. */
  readonly waivedOnOther: boolean;
}

/** Why a finding of one side is not open on the other. */
export type CauseOf = (
  open: DifferingFinding,
) => HostChanges['opened'][number]['advisories'][number]['cause'];

/** The findings of each side that the other one lacks. */
export function differingFindings(
  before: Side,
  after: Side,
  includeHidden: boolean,
): { readonly opened: readonly DifferingFinding[]; readonly closed: readonly DifferingFinding[] } {
  const [had, has] = [findingsOf(before, includeHidden), findingsOf(after, includeHidden)];
  const only = (some: ReadonlyMap<string, OpenFinding>, others: ReadonlyMap<string, OpenFinding>) =>
    [...some].flatMap(([key, one]) => {
      const other = others.get(key);
      if (one.isWaived || other?.isWaived === false) return [];
      return [{ ...one, waivedOnOther: other !== undefined }];
    });
  return { opened: only(has, had), closed: only(had, has) };
}

/** New findings as answered, the most severe first. */
export function openedAnswer(opened: readonly DifferingFinding[], causeOf: CauseOf): HostChanges['opened'] {
  return byFinding(opened).map(({ finding, all }) => ({
    name: finding.name,
    architecture: finding.architecture,
    installed_version: finding.installedVersion,
    ...worstOf(all),
    advisories: all.map((open) => ({ ...advisoryAnswer(open), cause: causeOf(open) })),
  }));
}

/** Closed findings as answered, the most severe first. */
export function closedAnswer(
  closed: readonly DifferingFinding[],
  { host }: Side,
  causeOf: CauseOf,
): HostChanges['closed'] {
  return byFinding(closed).map(({ finding, all }) => ({
    name: finding.name,
    architecture: finding.architecture,
    from_version: finding.installedVersion,
    to_version: installedOf(finding, host).at(-1)?.version.version ?? null,
    ...worstOf(all),
    advisories: all.map((open) => ({ ...advisoryAnswer(open), cause: causeOf(open) })),
  }));
}

/** Open and waived findings, by package and advisory. */
function findingsOf({ host, assessment }: Side, includeHidden: boolean): ReadonlyMap<string, OpenFinding> {
  const open = new Map<string, OpenFinding>();
  for (const finding of assessment.findings) {
    for (const advisory of finding.advisories) {
      if (advisory.statement.severity === 'none' && !includeHidden) continue;
      const key = [finding.name, finding.architecture, advisory.statement.externalId].join('\0');
      const origin = originOf(finding, advisory, host);
      const isWaived = advisory.waiver !== null;
      open.set(key, { finding, advisory, versionId: judgedVersion(finding, host), origin, isWaived });
    }
  }
  return open;
}

function byFinding(
  some: readonly DifferingFinding[],
): readonly { finding: Finding; all: readonly DifferingFinding[] }[] {
  return [...groupBy(some, ({ finding }) => finding)]
    .map(([finding, all]) => ({ finding, all }))
    .sort(
      (a, b) =>
        compareSeverity(worstOf(a.all).severity, worstOf(b.all).severity) ||
        (a.finding.name < b.finding.name ? -1 : 1),
    );
}

function worstOf(all: readonly OpenFinding[]) {
  const severities = all.map(({ advisory }) => advisory.statement.severity).sort(compareSeverity);
  return {
    severity: severities[0] ?? 'unrated',
    known_exploited: all.some(({ advisory }) => advisory.statement.knownExploited),
  } as const;
}

function advisoryAnswer({ advisory: { statement } }: OpenFinding) {
  return {
    id: statement.externalId,
    severity: statement.severity,
    fixed_version: statement.fix.kind === 'fixed' ? statement.fix.version : null,
    known_exploited: statement.knownExploited,
  };
}

function installedOf(finding: Finding, { packages }: HostToAssess): readonly InstalledVersion[] {
  return packages.filter(
    ({ version }) => version.name === finding.name && version.architecture === finding.architecture,
  );
}
