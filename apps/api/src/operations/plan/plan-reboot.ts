import { classifyUpgrade, isContainer, isCorePackage } from '@plimsoll/advisories';
import type { UpgradePlan } from '@plimsoll/contract';
import type { PackageManager } from '@plimsoll/model';
import type { LoadedAssessment } from '../hosts/find-host.ts';

type Reason = UpgradePlan['reboot']['reasons'][number];

/**
 * Whether a reboot is due after an upgrade: because it was due before, or because of the changes. A container runs the
 * kernel of its host and does not boot: see KernelPosture.
 */
export function planReboot(
  { host, assessment }: LoadedAssessment,
  packages: UpgradePlan['packages'],
  manager: PackageManager | null,
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
  return { state: reasons.length > 0 ? 'needed' : rebootState, reasons };
}

/** Services to restart after the upgrade: those due already. Other users of the packages show only afterwards. */
export function planRestarts(
  { assessment }: LoadedAssessment,
  packages: UpgradePlan['packages'],
): UpgradePlan['restarts'] {
  const { servicesToRestart, restartState } = assessment.kernelPosture;
  const services = servicesToRestart.map(({ name }) => name);
  if (restartState === 'needed') return { state: 'needed', services };
  return { state: packages.length > 0 ? 'unknown' : restartState, services };
}

function namesOf(packages: readonly { readonly name: string }[]): string {
  return [...new Set(packages.map(({ name }) => name))].sort().join(', ');
}
