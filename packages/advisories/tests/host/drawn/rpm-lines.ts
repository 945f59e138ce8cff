/** One release of an rpm distribution, for the generators of its hosts. */
export interface RpmLine {
  readonly release: string;
  /** The vendor tag of its own packages. */
  readonly vendor: string;
  /** The end of an ordinary build's version: `.el9_4`; SUSE has none. */
  readonly tags: readonly string[];
  /** The end of a module build's version; null: the release has no modules. */
  readonly module: string | null;
  /** The lines that hosts of the release can follow; `''`: unknown. */
  readonly follows: readonly string[];
  readonly kernel: RpmKernel;
}

/** The kernels of a release: the package that boots, its parts and companions, by version. */
export interface RpmKernel {
  readonly images: readonly string[];
  readonly parts: readonly string[];
  readonly companions: readonly string[];
  readonly versions: readonly string[];
  /** The `uname -r` of a version of the first image. */
  release(version: string): string;
}

const splitKernel = (versions: readonly string[]): RpmKernel => ({
  images: ['kernel-core', 'kernel-debug-core'],
  parts: ['kernel', 'kernel-modules'],
  companions: ['kernel-tools', 'bpftool'],
  versions,
  release: (version) => `${version}.x86_64`,
});

/** Red Hat Enterprise Linux, rebuilds of it, Oracle, Fedora, Amazon Linux and SUSE. */
export const rpmLines: readonly RpmLine[] = [
  {
    release: 'rhel:9',
    vendor: 'Red Hat, Inc.',
    tags: ['.el9', '.el9_2', '.el9_4', '.el9.fips'],
    module: '.module+el9.4.0+1+fc1a61b2',
    follows: ['', 'main', 'el9_2'],
    kernel: splitKernel(['5.14.0-284.11.1.el9_2', '5.14.0-427.13.1.el9_4', '5.14.0-503.11.1.el9_5']),
  },
  {
    release: 'almalinux:8',
    vendor: 'AlmaLinux',
    tags: ['.el8_10', '.el8_9.alma.1'],
    module: '.module_el8.9.0+1+8bf0b7ce',
    follows: [''],
    kernel: splitKernel(['4.18.0-513.9.1.el8_9', '4.18.0-553.5.1.el8_10', '4.18.0-553.100.1.el8_10']),
  },
  {
    release: 'rocky:9',
    vendor: 'Rocky Enterprise Software Foundation',
    tags: ['.el9_4', '.el9.rocky.0.1'],
    module: '.module+el9.4.0+1+8bf0b7ce',
    follows: [''],
    kernel: splitKernel(['5.14.0-284.11.1.el9_2', '5.14.0-427.13.1.el9_4', '5.14.0-503.11.1.el9_5']),
  },
  {
    release: 'oracle:8',
    vendor: 'Oracle America',
    tags: ['.el8_10', '.0.1.el8', '.el8_10_fips'],
    module: '.module+el8.9.0+1+8bf0b7ce',
    follows: [''],
    kernel: {
      images: ['kernel-uek', 'kernel-core'],
      parts: ['kernel'],
      companions: ['kernel-uek-devel', 'bpftool'],
      versions: ['5.4.17-2136.330.7.1.el8uek', '5.4.17-2136.331.7.el8uek', '5.4.17-2136.333.5.el8uek'],
      release: (version) => `${version}.x86_64`,
    },
  },
  {
    release: 'fedora:42',
    vendor: 'Fedora Project',
    tags: ['.fc42', '.fc41'],
    module: null,
    follows: [''],
    kernel: splitKernel(['6.14.0-63.fc42', '6.14.5-300.fc42', '6.15.3-200.fc42']),
  },
  {
    release: 'amazon:2023',
    vendor: 'Amazon Linux',
    tags: ['.amzn2023', '.amzn2023.0.2'],
    module: null,
    follows: [''],
    kernel: {
      images: ['kernel', 'kernel6.12'],
      parts: ['kernel-modules-extra'],
      companions: ['kernel-tools', 'bpftool'],
      versions: ['6.1.119-129.201.amzn2023', '6.1.127-135.201.amzn2023', '6.1.129-138.220.amzn2023'],
      release: (version) => `${version}.x86_64`,
    },
  },
  {
    release: 'suse:15.6',
    vendor: 'SUSE LLC <https://www.suse.com/>',
    tags: ['.150600.3.1', '.150400.12.5.1'],
    module: null,
    follows: [''],
    kernel: {
      images: ['kernel-default', 'kernel-azure'],
      parts: ['kernel-default-extra'],
      companions: ['kernel-macros', 'kernel-devel'],
      versions: ['6.4.0-150600.21.2', '6.4.0-150600.23.7.3', '6.4.0-150600.23.25.1'],
      release: (version) => `${version.slice(0, version.lastIndexOf('.'))}-default`,
    },
  },
];
