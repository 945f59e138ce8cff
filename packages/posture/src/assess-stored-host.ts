import { type Assessment, assessHost } from '@plimsoll/advisories';
import type { HostToAssess, InstalledVersion } from '@plimsoll/db';
import { toAssessedPackage } from './assessed-package.ts';
import { toHostFacts, toHostUpgrade } from './host-facts.ts';

/** Everything that can be said of a stored host. Its totals are those that counting stored of it. */
export function assessStoredHost(host: HostToAssess): Assessment {
  const toPackage = ({ version, statements }: InstalledVersion) => toAssessedPackage(version, statements);
  return assessHost({
    packages: host.packages.map(toPackage),
    runningKernel: host.runningKernel === null ? null : toPackage(host.runningKernel),
    facts: toHostFacts({
      release: host.release,
      lifecycle: host.lifecycle,
      facts: host.facts,
      bootedAt: host.bootedAt,
      coreHistory: host.coreHistory,
      upgrades: host.upgrades.map((upgrade) => toHostUpgrade(host.release, upgrade)),
      held: new Set(host.packages.filter(({ held }) => held).map(({ version }) => version.id)),
    }),
  });
}
