import type { Snapshot } from '@plimsoll/model';
import { encodeSnapshot } from '@plimsoll/reports';
import { debianMachine, installed } from '../../../tests/pipeline/debian-machine.ts';

const base = debianMachine();

const fixedKernel = {
  package: 'linux-image-6.1.0-31-amd64',
  version: '6.1.128-1',
  release: '6.1.0-31-amd64',
  defaultBoot: 'yes',
} as const;
const fixedKernelPackage = installed(fixedKernel.package, fixedKernel.version, {
  name: 'linux-signed-amd64',
  version: '6.1.128+1',
});

const upToDatePackages = [
  installed('bash', '5.2.15-2+b8', { version: '5.2.15-2' }),
  installed('curl', '7.88.1-10+deb12u15'),
  installed('openssh-server', '1:9.2p1-2+deb12u7', { name: 'openssh' }),
  fixedKernelPackage,
];
const fixedKernelRuns: Snapshot['kernel'] = {
  ...base.kernel,
  runningRelease: fixedKernel.release,
  runningVersion: '#1 SMP PREEMPT_DYNAMIC Debian 6.1.128-1 (2025-02-07)',
  runningPackage: fixedKernel.package,
  installed: [fixedKernel],
};

function offer(name: string, from: string, to: string, held = false): Snapshot['upgrades'][number] {
  const [upgrade] = base.upgrades;
  if (upgrade === undefined) throw new Error('the machine of the pipeline has no update');
  const versions = { installedVersion: from, candidateVersion: to, sourceVersion: to };
  return { ...upgrade, ...versions, name, sourceName: name, held };
}

/** Platform of a Debian 12 machine with the given name. */
export function platformOf(hostname: string, machineId: string): Snapshot['platform'] {
  return { ...base.platform, hostname, machineId };
}

/**
 * A Debian 12 machine with every kind of finding: curl critical, openssh-server known exploited, less low, all
 * installable; nano held; openssh-client not in its repositories; zlib1g without a fix; a kernel that needs a reboot; a
 * service that needs a restart.
 */
export function vulnerableMachine(hostname: string, machineId: string): Uint8Array {
  return encodeSnapshot({
    ...base,
    platform: platformOf(hostname, machineId),
    packages: [
      ...base.packages,
      installed('curl', '7.88.1-10+deb12u5'),
      installed('less', '590-2'),
      installed('nano', '7.2-1'),
      fixedKernelPackage,
    ],
    upgrades: [
      ...base.upgrades,
      offer('curl', '7.88.1-10+deb12u5', '7.88.1-10+deb12u15'),
      offer('less', '590-2', '590-2.1~deb12u3'),
      offer('nano', '7.2-1', '7.2-1+deb12u1', true),
    ],
    kernel: {
      ...base.kernel,
      installed: [...base.kernel.installed, fixedKernel],
    },
    services: {
      restartRequired: 'yes',
      toRestart: [{ name: 'nginx.service', reason: 'outdated libraries' }],
    },
  });
}

/** A Debian 12 machine with nothing to do. @param changes without any it does not say how old its package lists are. */
export function upToDateMachine(
  hostname: string,
  machineId: string,
  changes: Partial<Snapshot> = {},
): Uint8Array {
  return encodeSnapshot({
    ...base,
    platform: platformOf(hostname, machineId),
    packages: upToDatePackages,
    upgrades: [],
    kernel: fixedKernelRuns,
    ...changes,
  });
}

/** A Debian 12 machine that runs the kernel before the installed one, with nothing else to do. @param bootedAt null: it does not say */
export function rebootDueMachine(
  hostname: string,
  machineId: string,
  bootedAt: Date | null = null,
): Uint8Array {
  return encodeSnapshot({
    ...base,
    platform: platformOf(hostname, machineId),
    packages: [...upToDatePackages, ...base.packages.filter(({ name }) => name.startsWith('linux-image-'))],
    upgrades: [],
    kernel: { ...base.kernel, installed: [...base.kernel.installed, fixedKernel] },
    observed: { ...base.observed, bootedAt },
  });
}

/** A Debian 12 machine with nothing to do that does not say whether it needs a reboot. */
export function rebootUnknownMachine(hostname: string, machineId: string): Uint8Array {
  return upToDateMachine(hostname, machineId, { kernel: { ...fixedKernelRuns, rebootRequired: 'unknown' } });
}
