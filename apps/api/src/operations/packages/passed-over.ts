import { type EvidenceNote, explainVersion, type Finding, nameSome } from '@plimsoll/advisories';
import type { ExplainStore, HostToAssess, InstalledVersion } from '@plimsoll/db';
import type { Statement } from '@plimsoll/model';
import { judgedVersion } from './finding-times.ts';

/** What was skipped while findings were made. */
export interface PassedOver {
  /** For one of the given findings. */
  of(finding: Finding): readonly EvidenceNote[];
}

/**
 * Finds what was skipped for some findings of a host: statements about other builds of the package that would apply to
 * those builds, and installed packages of the same source that are not from the distribution.
 */
export async function loadPassedOver(
  findings: readonly Finding[],
  host: HostToAssess,
  explanations: ExplainStore,
): Promise<PassedOver> {
  const all = [...host.packages, ...(host.runningKernel === null ? [] : [host.runningKernel])];
  const byId = new Map(all.map(({ version }) => [version.id, version]));
  const versions = findings.flatMap((finding) => byId.get(judgedVersion(finding, host)) ?? []);
  const narrow = await explanations.narrowStatementsOf(versions);
  const foreign = foreignBySource(host.packages);
  return {
    of(finding) {
      const version = byId.get(judgedVersion(finding, host));
      if (version === undefined) return [];
      const others = otherBuilds(version, narrow.get(version.id) ?? []);
      const strangers = foreign.get(version.sourceName) ?? [];
      return [
        ...(others.length === 0
          ? []
          : [{ code: 'other_build_passed_over' as const, detail: nameSome(others) }]),
        ...(strangers.length === 0
          ? []
          : [{ code: 'foreign_package_passed_over' as const, detail: nameSome(strangers) }]),
      ];
    },
  };
}

function otherBuilds(version: InstalledVersion['version'], narrow: readonly Statement[]): readonly string[] {
  const { matchKey: key } = version;
  if (key === null || narrow.length === 0) return [];
  const texts = explainVersion(version, narrow, () => false)
    .filter(({ judgement }) => judgement === 'other_build')
    .filter(({ statement: { fix } }) => fix.kind === 'unfixed' || Buffer.compare(key, fix.key) < 0)
    .map(({ statement: { externalId, builds } }) => {
      const parts = [
        ...builds.architectures,
        ...(builds.module === null ? [] : [builds.module === '' ? 'no module' : `module ${builds.module}`]),
        ...(builds.line === null ? [] : [`line ${builds.line}`]),
      ];
      return `${externalId} (${parts.join(', ')})`;
    });
  return [...new Set(texts)];
}

/** Installed packages that are not from the distribution, as text, by source. */
function foreignBySource(packages: readonly InstalledVersion[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const { version } of packages) {
    const { verdict } = version;
    if (verdict.kind !== 'unknown') continue;
    const text = `${version.name} ${version.version} (${verdict.reason.replaceAll('_', ' ')})`;
    found.set(version.sourceName, [...(found.get(version.sourceName) ?? []), text]);
  }
  return found;
}
