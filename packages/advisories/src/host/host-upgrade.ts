import type { Release, Upgrade } from '@plimsoll/model';
import { classifyUpgrade } from '../registry.ts';
import { changeOf } from '../upgrade/offer-change.ts';
import type { HostUpgrade } from './host-facts.ts';

/** An offer with what it is compared by on a release, and what it is to the version that it says is installed. */
export function readOffer(upgrade: Upgrade, release: Release): HostUpgrade {
  const { installedVersion, candidateVersion } = upgrade;
  return {
    upgrade,
    source: classifyUpgrade(upgrade, release),
    change: changeOf(installedVersion, candidateVersion, release),
  };
}

/** Whether an offer brings something newer, as far as is known: an equal version is no update, nor is a lower one. */
export function isOffered({ change }: HostUpgrade): boolean {
  return change !== 'same' && change !== 'downgrade';
}
