import type { Snapshot } from '@plimsoll/model';
import { kernelFacts, type SystemKernel, type SystemPackage, type SystemParts } from './system.ts';

const architecture = 'x86_64';
const kernelPackage = (version: string): SystemKernel => ({
  name: 'kernel-core',
  release: `${version}.${architecture}`,
  version,
  sourceName: 'kernel',
});

/** The current kernel, and the one before it. */
export const el9Kernels = {
  newest: kernelPackage('5.14.0-570.62.1.el9_6'),
  before: kernelPackage('5.14.0-570.12.1.el9_6'),
};

const packages: readonly SystemPackage[] = [
  { name: 'bash', version: '5.1.8-9.el9' },
  { name: 'curl', version: '7.76.1-31.el9_6.1', older: '7.76.1-29.el9_4' },
  { name: 'expat', version: '2.5.0-5.el9_6', older: '2.5.0-2.el9' },
  { name: 'httpd', version: '2.4.62-4.el9_6.4', older: '2.4.57-8.el9' },
  { name: 'libxml2', version: '2.9.13-12.el9_6', older: '2.9.13-6.el9' },
  { name: 'openssh-server', version: '8.7p1-45.el9', older: '8.7p1-38.el9', sourceName: 'openssh' },
  { name: 'sudo', version: '1.9.5p2-10.el9_6.2', older: '1.9.5p2-10.el9_3' },
  { name: 'tzdata', version: '2025b-1.el9', older: '2024b-2.el9' },
  el9Kernels.newest,
];

/** AlmaLinux 9. */
export const alma9 = el9({
  osId: 'almalinux',
  pretty: 'AlmaLinux 9.6 (Sage Margay)',
  vendor: 'AlmaLinux',
  address: 'https://repo.almalinux.org/almalinux/9',
});

/** Rocky Linux 9. */
export const rocky9 = el9({
  osId: 'rocky',
  pretty: 'Rocky Linux 9.6 (Blue Onyx)',
  vendor: 'Rocky Enterprise Software Foundation',
  address: 'https://dl.rockylinux.org/pub/rocky/9',
});

/** Red Hat Enterprise Linux 9. */
export const rhel9 = el9({
  osId: 'rhel',
  pretty: 'Red Hat Enterprise Linux 9.6 (Plow)',
  vendor: 'Red Hat, Inc.',
  address: 'https://cdn.redhat.com/content/dist/rhel9/9',
});

/** The kernel facts of a host that runs `running` and has `kernels` installed. */
export function el9Kernel(running: SystemKernel, kernels: readonly SystemKernel[]): Snapshot['kernel'] {
  return kernelFacts(running, '#1 SMP PREEMPT_DYNAMIC', kernels);
}

function el9({
  osId,
  pretty,
  vendor,
  address,
}: Readonly<Record<'osId' | 'pretty' | 'vendor' | 'address', string>>): SystemParts {
  const ids = ['baseos', 'appstream'];
  return {
    platform: {
      osFamily: 'rpm',
      osId,
      osVersionId: '9.6',
      osVersion: '9.6',
      osCodename: '',
      osPrettyName: pretty,
      architecture,
    },
    vendor,
    suite: '',
    packages,
    kernel: el9Kernel(el9Kernels.newest, [el9Kernels.newest]),
    repositories: ids.map((id) => ({
      id,
      url: `${address}/${id === 'baseos' ? 'BaseOS' : 'AppStream'}/${architecture}/os/`,
      enabled: true,
      suite: '',
      origin: '',
    })),
    securityRepository: 'baseos',
    refreshedIds: ids,
  };
}
