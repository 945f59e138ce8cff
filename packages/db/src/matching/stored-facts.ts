import { compareText, coreInstallsOf, firstInstallOf } from '@plimsoll/advisories';
import type { Snapshot } from '@plimsoll/model';
import type { StoredFacts } from '../parsed-uploads.ts';

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
    vendors: vendorsOf(snapshot),
  };
}

/** Beyond so many the hosts' packages say nothing about single repositories. */
const maxVendors = 200;

function vendorsOf({ packages }: Snapshot): readonly string[] {
  const vendors = [...new Set(packages.map(({ vendor }) => vendor))].filter((vendor) => vendor !== '');
  return vendors.sort(compareText).slice(0, maxVendors);
}
