import type { KernelImage, KernelPart } from '@plimsoll/model';
import { withoutEpoch } from './evr.ts';

const flavours =
  'default|azure|rt|rt_debug|64kb|preempt|vanilla|debug|kvmsmall|pae|lpae|longterm|xen|ec2|trace|slfo';
const kernelName = new RegExp(`^kernel-(${flavours})(-base|-extra|-optional|-vdso|-man)?$`);

/**
 * Identifies a SUSE kernel from its package. Its `uname -r` omits the last rebuild number: `5.14.21-150500.55.7.1`
 * boots as `5.14.21-150500.55.7-default`. A small `-base` kernel appends its own packaging release to the kernel's.
 */
export function suseKernelRole({
  name,
  version,
}: {
  readonly name: string;
  readonly version: string;
}): KernelImage | KernelPart | null {
  const [, flavour, end] = kernelName.exec(name) ?? [];
  if (flavour === undefined) return null;
  const evr = withoutEpoch(version);
  const withoutRebuild = evr.slice(0, Math.max(0, evr.lastIndexOf('.')));
  const kernel =
    end === '-base' ? (/^[^-]+-\d+(?:\.\d+){2}/.exec(evr)?.[0] ?? withoutRebuild) : withoutRebuild;
  const role = end === undefined || end === '-base' ? 'image' : 'part';
  return { role, release: `${kernel}-${flavour}`, flavour };
}

const unameForm = new RegExp(`^\\d[^-\\s]*-[^-\\s]+-(${flavours})$`);

/** The flavour in a SUSE `uname -r`; null for other forms. */
export function suseFlavourOf(release: string): string | null {
  return unameForm.exec(release)?.[1] ?? null;
}
