import type { PackageManager } from './package-manager.ts';

/** One package to be upgraded to a version. */
export interface CommandPackage {
  readonly name: string;
  readonly architecture: string;
  readonly version: string;
}

/**
 * Whether a name and a version are such as the package manager itself would have: deb-control(5) and deb-version(7), or
 * what rpm takes. Everything else, control characters first of all, has no place in a line that somebody pastes. apt-get(8)
 * removes a package that is named with a hyphen at the end, so such a name is not safe either.
 */
export function isSafePackage(
  manager: PackageManager,
  { name, architecture, version }: CommandPackage,
): boolean {
  const [names, versions] =
    manager === 'apt'
      ? [/^[a-z0-9](?:[a-z0-9+.-]*[a-z0-9+.])?$/, /^[0-9][A-Za-z0-9.+~:-]*$/]
      : [/^[A-Za-z0-9_][A-Za-z0-9._+-]*$/, /^[A-Za-z0-9][A-Za-z0-9._+~^:-]*$/];
  return (
    names.test(name) &&
    versions.test(version) &&
    /^[a-z0-9_]{1,20}$/.test(architecture) &&
    name.length + version.length <= 256
  );
}

/** Upgrades everything that is not held, and newly installs what that needs. */
export function fullUpgradeCommand(manager: PackageManager): string {
  switch (manager) {
    case 'apt':
      return 'apt-get update && apt-get upgrade --with-new-pkgs';
    case 'dnf':
      return 'dnf upgrade --refresh';
    case 'yum':
      return 'yum update';
    case 'zypper':
      return 'zypper refresh && zypper update';
    default:
      return manager satisfies never;
  }
}

/** The package manager's own choice of security updates; null where it makes none (apt). */
export function ownSecurityCommand(manager: PackageManager): string | null {
  switch (manager) {
    case 'apt':
      return null;
    case 'dnf':
      return 'dnf upgrade --refresh --security';
    case 'yum':
      return 'yum update --security';
    case 'zypper':
      return 'zypper refresh && zypper patch --category security';
    default:
      return manager satisfies never;
  }
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
  const command = (specOf: typeof pinnedSpec): string =>
    commandFor(manager, packages.map((one) => quoted(specOf(manager, one, native))).join(' '));
  return { pinned: command(pinnedSpec), unpinned: command(unpinnedSpec) };
}

function commandFor(manager: PackageManager, specs: string): string {
  switch (manager) {
    case 'apt':
      return `apt-get update && apt-get install --only-upgrade ${specs}`;
    case 'dnf':
      return `dnf upgrade --refresh ${specs}`;
    case 'yum':
      return `yum update ${specs}`;
    case 'zypper':
      return `zypper refresh && zypper install ${specs}`;
    default:
      return manager satisfies never;
  }
}

function pinnedSpec(manager: PackageManager, one: CommandPackage, native: string): string {
  if (manager === 'apt' || manager === 'zypper')
    return `${unpinnedSpec(manager, one, native)}=${one.version}`;
  return `${one.name}-${one.version.replace(/^0:/, '')}.${one.architecture}`;
}

function unpinnedSpec(
  manager: PackageManager,
  { name, architecture }: CommandPackage,
  native: string,
): string {
  if (manager !== 'apt') return `${name}.${architecture}`;
  return architecture === native || architecture === 'all' ? name : `${name}:${architecture}`;
}

/** A word that a POSIX shell takes as it is, in quotes unless every character of it is harmless. */
function quoted(word: string): string {
  return /^[A-Za-z0-9][A-Za-z0-9+.:=_-]*$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
