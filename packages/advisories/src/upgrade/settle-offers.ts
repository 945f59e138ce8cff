import type { FieldError, InstalledPackage, Release, Upgrade } from '@plimsoll/model';
import { InstalledIndex } from './installed-versions.ts';
import { changeOf } from './offer-change.ts';

/** A report's offers as its own package list has them, with notes on what was set right. */
export interface SettledOffers {
  readonly upgrades: readonly Upgrade[];
  readonly notes: readonly FieldError[];
}

const pointer = '/upgradable';
const namedInNote = 5;

/**
 * Holds the offers of a report against its package list. The list decides what is installed: findings are judged by it.
 * An offer starts from the newest installed version of its name and architecture, whatever it says itself; where the
 * list has none, from what it says. An offer of a version that is installed is no update and is left out.
 */
export function settleOffers(
  upgrades: readonly Upgrade[],
  packages: readonly InstalledPackage[],
  release: Release,
): SettledOffers {
  const index = new InstalledIndex(packages, new Set(upgrades.map(({ name }) => name)), release);
  const settled: Upgrade[] = [];
  const same: Upgrade[] = [];
  const corrected: Upgrade[] = [];
  for (const upgrade of upgrades) {
    const { name, architecture, installedVersion: stated, candidateVersion } = upgrade;
    const installed = index.versionsFor(name, architecture);
    const isInstalled =
      installed === null
        ? changeOf(stated, candidateVersion, release) === 'same'
        : installed.includesSame(candidateVersion);
    if (isInstalled) {
      same.push(upgrade);
      continue;
    }
    if (stated !== '' && installed?.has(stated) === false) corrected.push(upgrade);
    const from = installed?.newest ?? stated;
    settled.push(from === stated ? upgrade : { ...upgrade, installedVersion: from });
  }
  const notes = [
    noteOn(same, 'offer the version that is installed and were left out'),
    noteOn(corrected, 'name an installed version that the package list does not have; the list counts'),
  ].flatMap((note) => note ?? []);
  return { upgrades: settled, notes };
}

function noteOn(upgrades: readonly Upgrade[], what: string): FieldError | null {
  if (upgrades.length === 0) return null;
  const named = upgrades
    .slice(0, namedInNote)
    .map(({ name, candidateVersion }) => `${name} ${candidateVersion}`);
  const more = upgrades.length > namedInNote ? ', …' : '';
  return { pointer, detail: `${upgrades.length} entries ${what}: ${named.join(', ')}${more}` };
}
