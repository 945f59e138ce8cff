import type { ReportSection } from '../report-section.ts';
import { tabbedLines } from '../tabbed-lines.ts';

/** The running kernel, and the kernels in /boot. */
export interface KernelFacts {
  /** `uname -r`. */
  release: string;
  /** `uname -v`. */
  version: string;
  /** The releases of the kernels in /boot. */
  readonly bootable: string[];
  /** The release that the boot loader starts next; empty if unknown. */
  defaultRelease: string;
  /** The release that an operator told the boot loader to start; empty: none is known. */
  pinnedRelease: string;
}

const imageName = 'vmlinuz-';

/** Parses `kernel`. */
export function parseKernel(section: ReportSection): KernelFacts {
  const facts: KernelFacts = {
    release: '',
    version: '',
    bootable: [],
    defaultRelease: '',
    pinnedRelease: '',
  };
  for (const { key, value } of tabbedLines(section)) {
    if (key === 'release') facts.release = value;
    else if (key === 'version') facts.version = value;
    else if (key === 'default') facts.defaultRelease = releaseOf(value);
    else if (key === 'pinned') facts.pinnedRelease = value;
    else if (key === 'vmlinuz') facts.bootable.push(releaseOf(value));
  }
  return facts;
}

/** `6.1.0-29-amd64` from `/boot/vmlinuz-6.1.0-29-amd64`, or from itself. */
function releaseOf(file: string): string {
  const at = file.lastIndexOf(imageName);
  return at < 0 ? file : file.slice(at + imageName.length);
}
