import {
  fullUpgradeCommand,
  isImageBased,
  namedUpgradeCommand,
  ownSecurityCommand,
  upgradesInstalledOnly,
} from '@plimsoll/advisories';
import type { UpgradePlan } from '@plimsoll/contract';
import type { PackageManager, Platform } from '@plimsoll/model';

/**
 * The commands of a plan: empty if there is nothing to upgrade; the full upgrade only if every name and version it
 * touches is safe.
 * @param areComplete whether the host's offers are all known: a system that comes as an image may list none.
 */
export function planCommands(
  manager: PackageManager,
  packages: UpgradePlan['packages'],
  { allSafe, areComplete }: { readonly allSafe: boolean; readonly areComplete: boolean },
  platform: Pick<Platform, 'osId' | 'architecture'>,
): UpgradePlan['commands'] {
  const commands: UpgradePlan['commands'] = [];
  const isWork = packages.length > 0 || (isImageBased(manager) && !areComplete);
  // The full upgrade includes the unsafe packages, regardless of their names; an image is upgraded whatever its packages are called.
  if (isWork && (allSafe || isImageBased(manager))) {
    commands.push({
      scope: 'full',
      command: fullUpgradeCommand(manager, platform),
      unpinned: null,
      packages: packages.length,
    });
  }
  const security = namedByCommand(manager, packages).filter(isForSecurity);
  if (security.length > 0) {
    const own = security.every(({ is_security }) => is_security) ? ownSecurityCommand(manager) : null;
    const specs = security.map((one) => ({ ...one, version: one.to_version }));
    const named =
      own === null
        ? namedUpgradeCommand(manager, specs, platform.architecture)
        : { pinned: own, unpinned: null };
    if (named !== null) {
      const { pinned, unpinned } = named;
      commands.push({ scope: 'security', command: pinned, unpinned, packages: security.length });
    }
  }
  return commands;
}

/** The packages that a command names: it may skip those that are not installed, which others pull in, as kernels. */
export function namedByCommand(
  manager: PackageManager,
  packages: UpgradePlan['packages'],
): UpgradePlan['packages'] {
  return packages.filter(({ from_version }) => from_version !== null || !upgradesInstalledOnly(manager));
}

/** Whether a change is a security update to the package manager, or closes a finding. */
export function isForSecurity({ is_security, severity }: UpgradePlan['packages'][number]): boolean {
  return is_security || severity !== null;
}
