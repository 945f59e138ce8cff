import type { Finding } from '@plimsoll/advisories';
import type { HostComparison } from '@plimsoll/contract';
import { compareSeverity, compareText } from '@plimsoll/model';

type Findings = NonNullable<HostComparison['findings']>;

/** What is open on a package: ids of advisories and CVEs. */
type OpenIds = ReadonlyMap<string, ReadonlySet<string>>;

/** The open advisories of two hosts, the most severe first. They are the same by id, or by all of their CVEs. */
export function compareFindings(a: readonly Finding[], b: readonly Finding[]): Findings {
  const [onlyA, onlyB] = [missingIn(a, openIds(b)), missingIn(b, openIds(a))];
  const all = a.reduce((sum, { advisories }) => sum + advisories.length, 0);
  return { same: all - onlyA.length, only_a: onlyA, only_b: onlyB };
}

function openIds(findings: readonly Finding[]): OpenIds {
  const open = new Map<string, Set<string>>();
  for (const { name, advisories } of findings) {
    const ids = open.get(nameKey(name)) ?? new Set<string>();
    for (const { statement } of advisories)
      for (const id of [statement.externalId, ...(statement.openCves ?? statement.cves)]) ids.add(id);
    open.set(nameKey(name), ids);
  }
  return open;
}

function missingIn(findings: readonly Finding[], other: OpenIds): Findings['only_a'] {
  return findings
    .flatMap(({ name, architecture, installedVersion, advisories }) => {
      const ids = other.get(nameKey(name)) ?? new Set();
      return advisories.flatMap(({ statement, fixState }) => {
        const { externalId, severity, knownExploited, openCves, cves: named } = statement;
        const cves = openCves ?? named;
        const isThere = ids.has(externalId) || (cves.length > 0 && cves.every((cve) => ids.has(cve)));
        if (isThere) return [];
        return [
          {
            name,
            architecture,
            installed_version: installedVersion,
            advisory_id: externalId,
            cves: [...cves],
            severity,
            fix_state: fixState,
            known_exploited: knownExploited,
          },
        ];
      });
    })
    .sort(
      (x, y) =>
        Number(y.known_exploited) - Number(x.known_exploited) ||
        compareSeverity(x.severity, y.severity) ||
        compareText(x.name, y.name) ||
        compareText(x.advisory_id, y.advisory_id),
    );
}

/** Kernels have their version in their name: names that differ only in numbers are those of the same package. */
function nameKey(name: string): string {
  return name.replace(/\d+/g, '0');
}
