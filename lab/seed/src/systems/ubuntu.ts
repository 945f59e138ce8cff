import type { Snapshot } from '@plimsoll/model';
import { kernelFacts, type SystemKernel, type SystemPackage, type SystemParts } from './system.ts';

const architecture = 'amd64';
const kernelOf = (release: string): SystemKernel => ({
  name: `linux-image-${release}-generic`,
  release: `${release}-generic`,
  version: `${release}.${release.split('-')[1]}`,
  sourceName: 'linux-signed',
});

/** The current kernel of 24.04, and one with a fictitious critical vulnerability. */
export const nobleKernels = { newest: kernelOf('6.8.0-90'), vulnerable: kernelOf('6.8.0-71') };

/**
 * Additional packages of some hosts with 24.04, each with fictitious statements about it; see ubuntuRecords.
 */
export const nobleExtras = {
  /** Unfixed, moderate. */
  tiff: { name: 'libtiff6', version: '4.5.1+git230720-4ubuntu2.2', sourceName: 'tiff' },
  /** Unfixed and known to be exploited. */
  ghostscript: { name: 'ghostscript', version: '10.02.1~dfsg1-0ubuntu7.5' },
  /** Fixed only in Ubuntu Pro. */
  imagemagick: { name: 'imagemagick', version: '8:6.9.12.98+dfsg1-5.2build2' },
  /** The vendor has not decided. */
  exim: { name: 'exim4-daemon-light', version: '4.97-4ubuntu4.3', sourceName: 'exim4' },
  /** A third party's. */
  docker: { name: 'docker-ce', version: '5:28.5.1-1~ubuntu.24.04~noble', vendor: 'Docker' },
} as const satisfies Readonly<Record<string, SystemPackage>>;

/** Ubuntu 24.04 LTS. */
export const noble: SystemParts = ubuntu(
  ['24.04', '24.04.3', 'noble'],
  [
    { name: 'bash', version: '5.2.21-2ubuntu4' },
    { name: 'curl', version: '8.5.0-2ubuntu10.9', older: '8.5.0-2ubuntu10.4' },
    { name: 'libxml2', version: '2.9.14+dfsg-1.3ubuntu3.6', older: '2.9.14+dfsg-1.3ubuntu3' },
    { name: 'nginx', version: '1.24.0-2ubuntu7.5', older: '1.24.0-2ubuntu7' },
    {
      name: 'openssh-server',
      version: '1:9.6p1-3ubuntu13.14',
      older: '1:9.6p1-3ubuntu13.5',
      sourceName: 'openssh',
    },
    { name: 'python3.12', version: '3.12.3-1ubuntu0.8', older: '3.12.3-1ubuntu0.2' },
    { name: 'sudo', version: '1.9.15p5-3ubuntu5.24.04.1', older: '1.9.15p5-3ubuntu5' },
    { name: 'tzdata', version: '2026b-0ubuntu0.24.04', older: '2025b-0ubuntu0.24.04.1' },
    { name: 'vim', version: '2:9.1.0016-1ubuntu7.9', older: '2:9.1.0016-1ubuntu7.3' },
    nobleKernels.newest,
  ],
  nobleKernels.newest,
);

const focalKernel = kernelOf('5.4.0-216');

/** Ubuntu 20.04 LTS, whose free support has ended. */
export const focal: SystemParts = ubuntu(
  ['20.04', '20.04.6', 'focal'],
  [
    { name: 'bash', version: '5.0-6ubuntu1.2' },
    { name: 'apache2', version: '2.4.41-4ubuntu3.23' },
    { name: 'krb5-user', version: '1.17-6ubuntu4.9', older: '1.17-6ubuntu4.7', sourceName: 'krb5' },
    { name: 'samba', version: '2:4.15.13+dfsg-0ubuntu0.20.04.9', older: '2:4.15.13+dfsg-0ubuntu0.20.04.8' },
    focalKernel,
  ],
  focalKernel,
);

/** The kernel facts of a host that runs `running` and has `kernels` installed. */
export function ubuntuKernel(running: SystemKernel, kernels: readonly SystemKernel[]): Snapshot['kernel'] {
  const upload = running.version.split('.').at(-1);
  return kernelFacts(running, `#${upload}-Ubuntu SMP PREEMPT_DYNAMIC`, kernels);
}

function ubuntu(
  [osVersionId, osVersion, suite]: readonly [number: string, version: string, codename: string],
  packages: readonly SystemPackage[],
  kernel: SystemKernel,
): SystemParts {
  const suites = [suite, `${suite}-updates`, `${suite}-security`];
  const server = (name: string): string =>
    name.endsWith('-security') ? 'security.ubuntu.com' : 'archive.ubuntu.com';
  return {
    platform: {
      osFamily: 'apt',
      osId: 'ubuntu',
      osVersionId,
      osVersion,
      osCodename: suite,
      osPrettyName: `Ubuntu ${osVersion} LTS`,
      architecture,
    },
    vendor: 'Ubuntu',
    suite,
    packages,
    kernel: ubuntuKernel(kernel, [kernel]),
    repositories: suites.map((name) => ({
      id: `${server(name)}_ubuntu_dists_${name}_main_binary-${architecture}`,
      url: `http://${server(name)}/ubuntu`,
      enabled: true,
      suite: name,
      origin: 'Ubuntu',
    })),
    securityRepository: `${suite}-security`,
    refreshedIds: suites.map((name) => `${server(name)}_ubuntu_dists_${name}`),
  };
}
