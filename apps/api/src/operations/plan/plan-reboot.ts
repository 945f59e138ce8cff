import { classifyUpgrade, isBootedInto, isContainer, isCorePackage } from '@plimsoll/advisories';
import type { UpgradePlan } from '@plimsoll/contract';
import type { PackageManager } from '@plimsoll/model';
import type { LoadedAssessment } from '../hosts/find-host.ts';

type Reason = UpgradePlan['reboot']['reasons'][number];

/** What a forecast rests on. */
export interface Planned {
  /** The packages that change. */
  readonly packages: UpgradePlan['packages'];
  /** Whether they are all that the repositories offer. Otherwise an upgrade can change more. */
  readonly areComplete: boolean;
  readonly manager: PackageManager | null;
}

/**
 * Whether a reboot is due after an upgrade: because it was due before, or because of the changes. A container runs the
 * kernel of its host and does not boot: see KernelPosture.
 */
export function planReboot(
  { host, assessment }: LoadedAssessment,
  { packages, areComplete, manager }: Planned,
): UpgradePlan['reboot'] {
  const { rebootState, rebootReasons } = assessment.kernelPosture;
  const inContainer = isContainer(host.facts.platform.virtualization);
  const reasons: Reason[] = [];
  if (rebootState === 'needed') {
    const detail = rebootReasons.map((reason) => reason.detail).join('; ');
    reasons.push({ code: 'already_needed', detail });
  }
  const planned = new Set(packages.map(({ name, to_version }) => `${name}\0${to_version}`));
  const kernels = host.upgrades.filter(
    (upgrade) =>
      planned.has(`${upgrade.name}\0${upgrade.candidateVersion}`) &&
      classifyUpgrade(upgrade, host.release).kernelFlavour !== null,
  );
  if (kernels.length > 0 && !inContainer) {
    reasons.push({ code: 'kernel_upgraded', detail: namesOf(kernels) });
  }
  const core = packages.filter(({ name }) => manager !== null && isCorePackage(manager, name));
  if (core.length > 0 && !inContainer) reasons.push({ code: 'core_package_upgraded', detail: namesOf(core) });
  if (packages.length > 0 && manager !== null && isBootedInto(manager))
    reasons.push({ code: 'new_system', detail: manager });
  if (reasons.length > 0) return { state: 'needed', reasons };
  return { state: areComplete || inContainer ? rebootState : 'unknown', reasons };
}

/** Services to restart after the upgrade: those due already. Other users of the packages show only afterwards. */
export function planRestarts(
  { assessment }: LoadedAssessment,
  { packages, areComplete }: Planned,
): UpgradePlan['restarts'] {
  const { servicesToRestart, restartState } = assessment.kernelPosture;
  const services = servicesToRestart.map(({ name }) => name);
  if (restartState === 'needed') return { state: 'needed', services };
  return { state: packages.length > 0 || !areComplete ? 'unknown' : restartState, services };
}

function namesOf(packages: readonly { readonly name: string }[]): string {
  return [...new Set(packages.map(({ name }) => name))].sort().join(', ');
}
