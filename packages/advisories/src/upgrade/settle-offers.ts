import type { FieldError, InstalledPackage, Release, Upgrade } from '@plimsoll/model';
import { InstalledIndex } from './installed-versions.ts';
import { changeOf } from './offer-change.ts';

/** A report's offers corrected by its package list, with notes on the corrections. */
export interface SettledOffers {
  readonly upgrades: readonly Upgrade[];
  readonly notes: readonly FieldError[];
}

const pointer = '/upgradable';
const namedInNote = 5;

/**
 * Corrects the offers of a report by its package list, which decides what is installed, because findings are judged by
 * it. An offer starts from the newest installed version of its name and architecture; if the list has none, from the
 * version it states. Removes offers of an installed version.
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
