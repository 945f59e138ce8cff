import type { InstalledKernel, KernelFacts, ServiceFacts, ServiceToRestart, TriState } from '@plimsoll/model';
import { TriState as WireTriState } from '@plimsoll/proto';
import type { FieldReader } from './field-reader.ts';
import { byKeys, sortDistinct } from './order.ts';
import type { SnapshotFields } from './snapshot-fields.ts';

/** Reads the kernel facts, sorted by package, version and release. Absent fields are unknown. */
export function decodeKernel(wire: SnapshotFields['kernel'], reader: FieldReader): KernelFacts {
  const installed = (wire?.installed ?? []).map((entry, index): InstalledKernel => {
    reader.at('/kernel/installed', index);
    return {
      package: reader.text('package', entry.package),
      version: reader.text('version', entry.version),
      release: reader.text('release', entry.release),
      defaultBoot: triState(entry.defaultBoot),
    };
  });
  reader.at('/kernel');
  return {
    runningRelease: reader.text('running_release', wire?.runningRelease ?? ''),
    runningVersion: reader.text('running_version', wire?.runningVersion ?? ''),
    runningPackage: reader.text('running_package', wire?.runningPackage ?? ''),
    installed: sortDistinct(installed.filter(namesSomething), compareKernels),
    rebootRequired: triState(wire?.rebootRequired),
    rebootPackages: reader.textSet('reboot_packages', wire?.rebootPackages ?? []),
    livepatch: reader.text('livepatch', wire?.livepatch ?? ''),
    livepatchedCves: reader.textSet('livepatched_cves', wire?.livepatchedCves ?? []),
  };
}

const compareKernels = byKeys<InstalledKernel>(
  (kernel) => kernel.package,
  (kernel) => kernel.version,
  (kernel) => kernel.release,
  (kernel) => kernel.defaultBoot,
);

function namesSomething(kernel: InstalledKernel): boolean {
  return kernel.package !== '' || kernel.version !== '' || kernel.release !== '';
}

/** Reads the service facts, sorted by name; skips those without a name. */
export function decodeServices(wire: SnapshotFields['services'], reader: FieldReader): ServiceFacts {
  const services: ServiceToRestart[] = [];
  wire?.toRestart.forEach((entry, index) => {
    reader.at('/services/to_restart', index);
    const name = reader.text('name', entry.name);
    if (name === '') reader.warn('', 'names no service; left out');
    else services.push({ name, reason: reader.text('reason', entry.reason) });
  });
  return {
    restartRequired: triState(wire?.restartRequired),
    toRestart: sortDistinct(services, compareServices),
  };
}

const compareServices = byKeys<ServiceToRestart>(
  (service) => service.name,
  (service) => service.reason,
);

/** Any value except a clear yes or no, including a newer sender's, is unknown. */
function triState(wire: WireTriState | undefined): TriState {
  if (wire === WireTriState.YES) return 'yes';
  return wire === WireTriState.NO ? 'no' : 'unknown';
}
