import type { Release, Upgrade } from '@plimsoll/model';
import { classifyUpgrade } from '../registry.ts';
import { changeOf } from '../upgrade/offer-change.ts';
import type { HostUpgrade } from './host-facts.ts';

/** Reads an offer: what it is compared by in a release, and its relation to the installed version it states. */
export function readOffer(upgrade: Upgrade, release: Release): HostUpgrade {
  const { installedVersion, candidateVersion } = upgrade;
  return {
    upgrade,
    source: classifyUpgrade(upgrade, release),
    change: changeOf(installedVersion, candidateVersion, release),
  };
}

/** Whether an offer is newer as far as known: an equal or lower version is no update. */
export function isOffered({ change }: HostUpgrade): boolean {
  return change !== 'same' && change !== 'downgrade';
}
