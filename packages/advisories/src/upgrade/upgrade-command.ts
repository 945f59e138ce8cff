import type { PackageManager } from '@plimsoll/model';
import { type CommandPackage, type ManagerRules, managerRules } from './manager-rules.ts';

/**
 * Whether a name and a version are such as the package manager itself would have. Everything else, control characters
 * first of all, has no place in a line that somebody pastes.
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

/** Whether only a boot replaces a package. Not the kernel, which is judged by which one runs. */
export function isCorePackage(manager: PackageManager, name: string): boolean {
  return managerRules(manager).corePackages.has(name);
}

/** Upgrades everything that is not held, and newly installs what that needs. */
export function fullUpgradeCommand(manager: PackageManager): string {
  return managerRules(manager).fullUpgrade;
}

/** The package manager's own choice of security updates; null where it makes none (apt). */
export function ownSecurityCommand(manager: PackageManager): string | null {
  return managerRules(manager).securityUpgrade;
}

/** A command for some packages, with the version of each and without. */
export interface NamedUpgradeCommand {
  /** Fails as a whole where the repositories have replaced one of the versions. */
  readonly pinned: string;
  /** Takes the versions that the repositories offer when it runs. */
  readonly unpinned: string;
}

/**
 * Upgrades some packages, and newly installs none but what they depend on. For a POSIX shell; every package must be safe,
 * which also means that none looks like an option.
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

/** Whether namedUpgradeCommand leaves out packages that are not installed, as apt does. */
export function upgradesInstalledOnly(manager: PackageManager): boolean {
  return managerRules(manager).upgradesInstalledOnly;
}

/** A word that a POSIX shell takes as it is, in quotes unless every character of it is harmless. */
function quoted(word: string): string {
  return /^[A-Za-z0-9][A-Za-z0-9+.:=_-]*$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
