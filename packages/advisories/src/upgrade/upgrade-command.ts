import type { PackageManager, Platform } from '@plimsoll/model';
import {
  type Asks,
  type CommandPackage,
  isRolling,
  type ManagerRules,
  managerRules,
} from './package-manager.ts';

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
export function fullUpgradeCommand(
  manager: PackageManager,
  system: Pick<Platform, 'osId'>,
  asks: Asks = 'asks',
): string {
  return managerRules(manager).fullUpgrade(asks, isRolling(system));
}

/** The package manager's own selection of security updates; null if it has none (apt). */
export function ownSecurityCommand(manager: PackageManager, asks: Asks = 'asks'): string | null {
  return managerRules(manager).securityUpgrade?.(asks) ?? null;
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
 * Null if no command changes single packages.
 * @param native the host's own architecture.
 */
export function namedUpgradeCommand(
  manager: PackageManager,
  packages: readonly CommandPackage[],
  native: string,
  asks: Asks = 'asks',
): NamedUpgradeCommand | null {
  const { upgradeOf } = managerRules(manager);
  if (upgradeOf === null) return null;
  const command = (specs: readonly string[]): string => upgradeOf(specs.map(shellWord).join(' '), asks);
  const specs = packageSpecs(manager, packages, native);
  return { pinned: command(specs.pinned), unpinned: command(specs.unpinned) };
}

/** What names some packages on the command line of a package manager, unquoted, with and without their versions. */
export function packageSpecs(
  manager: PackageManager,
  packages: readonly CommandPackage[],
  native: string,
): { readonly pinned: readonly string[]; readonly unpinned: readonly string[] } {
  const rules = managerRules(manager);
  const named = (specOf: ManagerRules['pinnedSpec']): readonly string[] => [
    ...new Set(packages.map((one) => specOf(one, native))),
  ];
  return { pinned: named(rules.pinnedSpec), unpinned: named(rules.unpinnedSpec) };
}

/** Whether namedUpgradeCommand skips packages that are not installed, as with apt. */
export function upgradesInstalledOnly(manager: PackageManager): boolean {
  return managerRules(manager).upgradesInstalledOnly;
}

/** Whether the packages of a system come as one image, so that its upgrade replaces all of them. */
export function isImageBased(manager: PackageManager): boolean {
  return managerRules(manager).upgradeOf === null;
}

/** Whether an upgrade takes effect with the next boot only. */
export function isBootedInto(manager: PackageManager): boolean {
  return managerRules(manager).isBooted === true;
}

/** Any text without NUL as one word for a POSIX shell, quoted unless all its characters are harmless. */
export function shellWord(word: string): string {
  return /^[A-Za-z0-9][A-Za-z0-9+.:=_-]*$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
