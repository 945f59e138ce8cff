import type { KernelPosture as AssessedKernels } from '@plimsoll/advisories';
import type { KernelPosture } from '@plimsoll/contract';
import { findHost, gapsHeader, loadAssessment } from '../hosts/find-host.ts';
import { notReported } from '../hosts/host-answer.ts';
import type { ReadHandler } from '../read-operation.ts';

/** GET /hosts/{id}/kernel-posture */
export const getKernelPosture: ReadHandler<'getKernelPosture'> = async ({ params, caller }, { stores }) => {
  const overview = await findHost(stores.hosts, caller.scope, params.id);
  const headers = gapsHeader(overview);
  const assessed = await loadAssessment(stores.assessments, params.id);
  const body = assessed === null ? unknownKernels : kernelPostureAnswer(assessed.assessment.kernelPosture);
  return { kind: 'json', status: 200, headers, body };
};

/** For a host without a report. */
const unknownKernels: KernelPosture = {
  running_kernel: null,
  latest_installed_kernel: null,
  running_is_latest: null,
  installed_kernels: [],
  reboot_state: 'unknown',
  reboot_reasons: [],
  reboot_unknown: notReported,
  booted_at: null,
  services_to_restart: [],
  restart_state: 'unknown',
};

function kernelPostureAnswer(kernels: AssessedKernels): KernelPosture {
  return {
    running_kernel: kernels.runningKernel,
    latest_installed_kernel: kernels.latestInstalledKernel,
    running_is_latest: kernels.runningIsLatest,
    installed_kernels: kernels.installedKernels.map((kernel) => ({
      package: kernel.package,
      version: kernel.version,
      release: kernel.release,
      running: kernel.running,
    })),
    reboot_state: kernels.rebootState,
    reboot_reasons: kernels.rebootReasons.map(({ code, detail, source }) => ({ code, detail, source })),
    reboot_unknown: kernels.rebootUnknown,
    booted_at: kernels.bootedAt?.toISOString() ?? null,
    services_to_restart: kernels.servicesToRestart.map(({ name, reason }) => ({ name, reason })),
    restart_state: kernels.restartState,
  };
}
