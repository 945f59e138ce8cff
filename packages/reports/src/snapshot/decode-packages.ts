import type { BrokenPackage, InstalledPackage, OsFamily, Upgrade } from '@plimsoll/model';
import { brokenStates, compareText } from '@plimsoll/model';
import { byKeys, type FieldReader, sortDistinct } from './field-reader.ts';
import type { KnownPackages } from './known-entries.ts';
import type { SnapshotFields } from './snapshot-fields.ts';

type WirePackage = SnapshotFields['packages'][number];
type WireUpgrade = SnapshotFields['upgradable'][number];

/**
 * Reads the installed packages, sorted by name, architecture and version. Of entries with the same three the first is
 * kept; several versions of one name stay, as with kernels. Skips entries that are not packages.
 */
export function decodePackages(
  wire: readonly WirePackage[],
  family: OsFamily,
  reader: FieldReader,
  known?: KnownPackages,
): readonly InstalledPackage[] {
  const packages: InstalledPackage[] = [];
  wire.forEach((entry, index) => {
    if (entry.name === listRules[family].notAPackage) return;
    const found = known?.packages.valueOf(entry);
    const installed =
      found?.family === family
        ? found.installed
        : reader.entry(() => readPackage(entry, family, reader.at('/packages', index), known));
    if (installed !== null) packages.push(installed);
  });
  const distinct = sortDistinct(packages, comparePackages);
  const repeated = packages.length - distinct.length;
  if (repeated > 0) reader.at('/packages').warn('', `${repeated} repeated entries were left out`);
  return distinct;
}

/** Reads an entry, and remembers its package unless it has a fault. */
function readPackage(
  wire: WirePackage,
  family: OsFamily,
  reader: FieldReader,
  known: KnownPackages | undefined,
): InstalledPackage {
  const before = reader.faults;
  const installed = decodePackage(wire, family, reader);
  if (reader.faults === before) known?.packages.remember(wire, { family, installed });
  return installed;
}

function decodePackage(wire: WirePackage, family: OsFamily, reader: FieldReader): InstalledPackage {
  const name = reader.name('name', wire.name, 'required');
  const version = reader.version('version', wire.version, 'required');
  const sourceName = reader.name('source_name', presentValue(wire.sourceName, family), 'optional');
  const sourceVersion = reader.version(
    'source_version',
    presentValue(wire.sourceVersion, family),
    'optional',
  );
  return {
    name,
    architecture: reader.name('architecture', wire.architecture, 'optional'),
    version,
    sourceName: sourceName === '' ? name : sourceName,
    sourceVersion: sourceVersion === '' ? version : sourceVersion,
    vendor: presentValue(reader.text('vendor', wire.vendor), family),
    module: reader.version('module', presentValue(wire.module, family), 'optional'),
    held: wire.held,
    installedAt: reader.time('installed_at', wire.installedAt),
    signingKey: presentValue(reader.text('signing_key', wire.signingKey), family),
    suite: reader.text('suite', wire.suite),
    ...labelOf(wire, reader),
  };
}

function labelOf(wire: { readonly label: string }, reader: FieldReader): { readonly label?: string } {
  const label = reader.text('label', wire.label);
  return label === '' ? {} : { label };
}

/** Special entries and values in a family's package list; null if it has none. */
interface ListRules {
  /** The name of entries that are not packages. */
  readonly notAPackage: string | null;
  /** The text printed for an absent value. */
  readonly absent: string | null;
}

const listRules: Readonly<Record<OsFamily, ListRules>> = {
  apt: { notAPackage: null, absent: null },
  // rpm's gpg-pubkey entries are keys; its query formats print (none) for an absent tag.
  rpm: { notAPackage: 'gpg-pubkey', absent: '(none)' },
  unknown: { notAPackage: null, absent: null },
};

function presentValue(text: string, family: OsFamily): string {
  return text === listRules[family].absent ? '' : text;
}

/** Reads the packages whose installation did not end, sorted by name; a word of a newer sender is the worst state. */
export function decodeBroken(wire: SnapshotFields['broken'], reader: FieldReader): readonly BrokenPackage[] {
  const broken = wire.flatMap((entry, index) => {
    reader.at('/broken', index);
    return (
      reader.entry(
        (): BrokenPackage => ({
          name: reader.name('name', entry.name, 'required'),
          architecture: reader.name('architecture', entry.architecture, 'optional'),
          version: reader.version('version', entry.version, 'optional'),
          state: brokenStates.find((state) => state === entry.state) ?? 'half_installed',
          otherVersion: entry.otherKnown
            ? reader.version('other_version', entry.otherVersion, 'optional')
            : null,
        }),
      ) ?? []
    );
  });
  return sortDistinct(broken, compareBroken);
}

const compareBroken = byKeys<BrokenPackage>(
  (entry) => entry.name,
  (entry) => entry.architecture,
  (entry) => entry.version,
);

function comparePackages(a: InstalledPackage, b: InstalledPackage): number {
  return (
    compareText(a.name, b.name) ||
    compareText(a.architecture, b.architecture) ||
    compareText(a.version, b.version)
  );
}

/**
 * Reads the available updates, sorted by name, architecture and candidate version. Keeps one of equal updates from
 * several repositories: one flagged as security if any is, else that of the first repository by name.
 */
export function decodeUpgrades(
  wire: readonly WireUpgrade[],
  reader: FieldReader,
  known?: KnownPackages,
): readonly Upgrade[] {
  const upgrades = wire.flatMap((entry, index) => {
    const found = known?.upgrades.valueOf(entry);
    if (found !== undefined) return found;
    const before = reader.faults;
    const upgrade = reader.entry(() => decodeUpgrade(entry, reader.at('/upgradable', index)));
    if (upgrade !== null && reader.faults === before) known?.upgrades.remember(entry, upgrade);
    return upgrade ?? [];
  });
  return sortDistinct(
    upgrades,
    (a, b) =>
      compareUpgrades(a, b) ||
      Number(b.isSecurity) - Number(a.isSecurity) ||
      compareText(a.repository, b.repository),
    (a, b) => compareUpgrades(a, b) === 0,
  );
}

function decodeUpgrade(wire: WireUpgrade, reader: FieldReader): Upgrade {
  const name = reader.name('name', wire.name, 'required');
  const candidateVersion = reader.version('candidate_version', wire.candidateVersion, 'required');
  const sourceName = reader.name('source_name', wire.sourceName, 'optional');
  const sourceVersion = reader.version('source_version', wire.sourceVersion, 'optional');
  return {
    name,
    architecture: reader.name('architecture', wire.architecture, 'optional'),
    installedVersion: reader.version('installed_version', wire.installedVersion, 'optional'),
    candidateVersion,
    repository: reader.text('repository', wire.repository),
    isSecurity: wire.isSecurity,
    held: wire.held,
    phased: wire.phased,
    sourceName: sourceName === '' ? name : sourceName,
    sourceVersion: sourceVersion === '' ? candidateVersion : sourceVersion,
    suite: reader.text('suite', wire.suite),
    origin: reader.text('origin', wire.origin),
    ...labelOf(wire, reader),
    advisoryIds: reader.textSet('advisory_ids', wire.advisoryIds),
  };
}

function compareUpgrades(a: Upgrade, b: Upgrade): number {
  return (
    compareText(a.name, b.name) ||
    compareText(a.architecture, b.architecture) ||
    compareText(a.candidateVersion, b.candidateVersion) ||
    compareText(a.installedVersion, b.installedVersion)
  );
}
