import type { Finding, FindingAdvisory } from '@plimsoll/advisories';
import type { HostChanges } from '@plimsoll/contract';
import { assessStoredHost, type HostToAssess, type InstalledVersion } from '@plimsoll/db';
import {
  type AdvisoryKey,
  compareSeverity,
  groupBy,
  type PackageVersionId,
  type Statement,
} from '@plimsoll/model';
import { judgedVersion } from '../packages/finding-background.ts';

/** A host at a time, with the statements of advisories at that time, as far as known. */
export interface KnownThen {
  readonly host: HostToAssess;
  /** Information received later does not count. */
  readonly asOf: Date;
  /** Statements valid then and withdrawn since. */
  readonly withdrawn: ReadonlyMap<PackageVersionId, readonly Statement[]>;
}

interface Open {
  readonly finding: Finding;
  readonly advisory: FindingAdvisory;
  readonly versionId: PackageVersionId;
}

/** Compares the findings of two moments; each list has the most severe first. */
export function changedFindings(
  before: KnownThen,
  after: KnownThen,
  includeHidden: boolean,
): Pick<HostChanges, 'opened' | 'closed'> {
  const [had, has] = [openOf(before, includeHidden), openOf(after, includeHidden)];
  const only = (some: ReadonlyMap<string, Open>, others: ReadonlyMap<string, Open>) =>
    byFinding([...some].flatMap(([key, open]) => (others.has(key) ? [] : [open])));
  return {
    opened: only(has, had).map(({ finding, all }) => ({
      name: finding.name,
      architecture: finding.architecture,
      installed_version: finding.installedVersion,
      ...worstOf(all),
      advisories: all.map((open) => ({ ...advisoryAnswer(open), reason: whyOpened(open, before) })),
    })),
    closed: only(had, has).map(({ finding, all }) => ({
      name: finding.name,
      architecture: finding.architecture,
      from_version: finding.installedVersion,
      to_version: installedOf(finding, after.host).at(-1)?.version.version ?? null,
      ...worstOf(all),
      advisories: all.map((open) => ({ ...advisoryAnswer(open), reason: whyClosed(open, after) })),
    })),
  };
}

/** Open findings, by package and advisory. */
function openOf({ host, asOf, withdrawn }: KnownThen, includeHidden: boolean): ReadonlyMap<string, Open> {
  const asThen = (installed: InstalledVersion): InstalledVersion => ({
    ...installed,
    statements: [
      ...installed.statements.filter(({ firstSeenAt }) => firstSeenAt <= asOf),
      ...(withdrawn.get(installed.version.id) ?? []).filter(({ firstSeenAt }) => firstSeenAt <= asOf),
    ],
  });
  const then = {
    ...host,
    packages: host.packages.map(asThen),
    runningKernel: host.runningKernel === null ? null : asThen(host.runningKernel),
  };
  const open = new Map<string, Open>();
  for (const finding of assessStoredHost(then).findings) {
    for (const advisory of finding.advisories) {
      if (advisory.statement.severity === 'none' && !includeHidden) continue;
      const key = [finding.name, finding.architecture, advisory.statement.externalId].join('\0');
      open.set(key, { finding, advisory, versionId: judgedVersion(finding, host) });
    }
  }
  return open;
}

function byFinding(some: readonly Open[]): readonly { finding: Finding; all: readonly Open[] }[] {
  return [...groupBy(some, ({ finding }) => finding)]
    .map(([finding, all]) => ({ finding, all }))
    .sort(
      (a, b) =>
        compareSeverity(worstOf(a.all).severity, worstOf(b.all).severity) ||
        (a.finding.name < b.finding.name ? -1 : 1),
    );
}

function worstOf(all: readonly Open[]) {
  const severities = all.map(({ advisory }) => advisory.statement.severity).sort(compareSeverity);
  return {
    severity: severities[0] ?? 'unrated',
    known_exploited: all.some(({ advisory }) => advisory.statement.knownExploited),
  } as const;
}

function advisoryAnswer({ advisory: { statement } }: Open) {
  return {
    id: statement.externalId,
    severity: statement.severity,
    fixed_version: statement.fix.kind === 'fixed' ? statement.fix.version : null,
    known_exploited: statement.knownExploited,
  };
}

function whyOpened({ finding, advisory, versionId }: Open, { host, asOf }: KnownThen) {
  if (advisory.statement.firstSeenAt > asOf) return 'advisory_published';
  if (hasVersion(versionId, host)) return 'kernel_changed';
  return installedOf(finding, host).length === 0 ? 'package_installed' : 'package_changed';
}

function whyClosed({ finding, advisory, versionId }: Open, { host }: KnownThen) {
  const now = installedOf(finding, host);
  const same = now.find(({ version }) => version.id === versionId);
  if (same !== undefined) {
    const stillSaid = same.statements.some((statement) => isOf(statement, advisory.statement.advisory));
    if (stillSaid) return 'kernel_changed';
    return 'advisory_withdrawn';
  }
  return now.length === 0 ? 'package_removed' : 'package_changed';
}

function isOf(statement: Statement, advisory: AdvisoryKey): boolean {
  return statement.advisory === advisory;
}

function hasVersion(id: PackageVersionId, { packages }: HostToAssess): boolean {
  return packages.some(({ version }) => version.id === id);
}

function installedOf(finding: Finding, { packages }: HostToAssess): readonly InstalledVersion[] {
  return packages.filter(
    ({ version }) => version.name === finding.name && version.architecture === finding.architecture,
  );
}
