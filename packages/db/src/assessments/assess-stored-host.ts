import { type Assessment, assessedPackage, assessHost, readOffer } from '@plimsoll/advisories';
import { toHostFacts } from '../matching/host-facts.ts';
import type { HostToAssess, InstalledVersion } from './stored-host.ts';

/** Assesses a stored host. Its totals equal the counts in `host_state`. */
export function assessStoredHost(host: HostToAssess): Assessment {
  const toPackage = ({ version, statements }: InstalledVersion) => assessedPackage(version, statements);
  return assessHost({
    packages: host.packages.map(toPackage),
    runningKernel: host.runningKernel === null ? null : toPackage(host.runningKernel),
    facts: toHostFacts({
      release: host.release,
      lifecycle: host.lifecycle,
      facts: host.facts,
      bootedAt: host.bootedAt,
      coreHistory: host.coreHistory,
      upgrades: host.upgrades.map((upgrade) => readOffer(upgrade, host.release)),
      held: new Set(host.packages.filter(({ held }) => held).map(({ version }) => version.id)),
    }),
  });
}
