import type { PackageManager } from '@plimsoll/model';
import { type CommandPackage, type ManagerRules, managerRules } from './package-manager.ts';

/**
 * Whether a name and a version are valid for the package manager. Other text, in particular control
 * characters, must not be in a line that an operator pastes.
 */
export function isSafePackage(
  manager: PackageManager,
  { name, architecture, version }: CommandPackage,
): boolean {
  const { safeName, safeVersion } = managerRules(manager);
  return (
    safeName.test(name) &&
    safeVersion.test(version) &&
    /^[a-z0-9_]{1,20}$/.test(architecture) &&
    name.length + version.length <= 256
  );
}

/**
 * Whether only a boot replaces a package. The kernel is not included: whether it needs a boot depends on the
 * running one.
 */
export function isCorePackage(manager: PackageManager, name: string): boolean {
  return managerRules(manager).corePackages.has(name);
}

/** Upgrades everything that is not held, and installs new dependencies. */
export function fullUpgradeCommand(manager: PackageManager): string {
  return managerRules(manager).fullUpgrade;
}

/** The package manager's own selection of security updates; null if it has none (apt). */
export function ownSecurityCommand(manager: PackageManager): string | null {
  return managerRules(manager).securityUpgrade;
}

/** Commands for some packages, with and without their versions. */
export interface NamedUpgradeCommand {
  /** Fails as a whole if the repositories have replaced one of the versions. */
  readonly pinned: string;
  /** Installs the versions that the repositories offer at run time. */
  readonly unpinned: string;
}

/**
 * Upgrades some packages, and installs only new dependencies. For a POSIX shell; every package must be safe, which
 * also excludes names that look like options.
 * @param native the host's own architecture.
 */
export function namedUpgradeCommand(
  manager: PackageManager,
  packages: readonly CommandPackage[],
  native: string,
): NamedUpgradeCommand {
  const rules = managerRules(manager);
  const command = (specOf: ManagerRules['pinnedSpec']): string =>
    rules.upgradeOf(packages.map((one) => quoted(specOf(one, native))).join(' '));
  return { pinned: command(rules.pinnedSpec), unpinned: command(rules.unpinnedSpec) };
}

/** Whether namedUpgradeCommand skips packages that are not installed, as with apt. */
export function upgradesInstalledOnly(manager: PackageManager): boolean {
  return managerRules(manager).upgradesInstalledOnly;
}

/** Returns a word for a POSIX shell, quoted unless all its characters are harmless. */
function quoted(word: string): string {
  return /^[A-Za-z0-9][A-Za-z0-9+.:=_-]*$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
