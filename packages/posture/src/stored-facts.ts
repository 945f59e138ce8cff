import { coreInstallsOf, firstInstallOf } from '@plimsoll/advisories';
import type { StoredFacts } from '@plimsoll/db';
import type { Snapshot } from '@plimsoll/model';

/** What is stored of a snapshot besides its packages and updates, as JSON. */
export function storedFactsOf(snapshot: Snapshot, receivedAt: Date): StoredFacts {
  const { platform, kernel, services, repositories, moduleStreams, subscription, failures } = snapshot;
  const firstInstallAt = firstInstallOf(snapshot)?.toISOString();
  return {
    platform,
    kernel,
    services,
    repositories,
    moduleStreams,
    subscription,
    failures,
    coreInstalls: coreInstallsOf(snapshot, receivedAt).map((install) => ({
      ...install,
      installedAt: install.installedAt.toISOString(),
    })),
    ...(firstInstallAt === undefined ? {} : { firstInstallAt }),
  };
}
