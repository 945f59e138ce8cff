import type { KernelPosture as AssessedPosture } from '@plimsoll/advisories';
import type { KernelPosture, Operations } from '@plimsoll/contract';
import { findHost } from '../hosts/find-host.ts';
import { gapsHeader } from '../hosts/gaps-header.ts';
import type { ReadHandler } from '../reads/read-operation.ts';
import { loadAssessment } from './load-assessment.ts';

/** GET /hosts/{id}/kernel-posture */
export const getKernelPosture: ReadHandler<Operations['getKernelPosture']> = async (
  { params },
  { stores },
) => {
  const overview = await findHost(stores.hosts, params.id);
  const headers = gapsHeader(overview);
  const assessed = await loadAssessment(stores.assessments, params.id);
  const body = assessed === null ? unknownPosture : postureAnswer(assessed.assessment.kernelPosture);
  return { kind: 'json', status: 200, headers, body };
};

/** Of a host that has told nothing yet. */
const unknownPosture: KernelPosture = {
  running_kernel: null,
  latest_installed_kernel: null,
  running_is_latest: null,
  installed_kernels: [],
  reboot_state: 'unknown',
  reboot_reasons: [],
  booted_at: null,
  services_to_restart: [],
  restart_state: 'unknown',
};

function postureAnswer(posture: AssessedPosture): KernelPosture {
  return {
    running_kernel: posture.runningKernel,
    latest_installed_kernel: posture.latestInstalledKernel,
    running_is_latest: posture.runningIsLatest,
    installed_kernels: posture.installedKernels.map((kernel) => ({
      package: kernel.package,
      version: kernel.version,
      release: kernel.release,
      running: kernel.running,
    })),
    reboot_state: posture.rebootState,
    reboot_reasons: posture.rebootReasons.map(({ code, detail }) => ({ code, detail })),
    booted_at: posture.bootedAt?.toISOString() ?? null,
    services_to_restart: posture.servicesToRestart.map(({ name, reason }) => ({ name, reason })),
    restart_state: posture.restartState,
  };
}
