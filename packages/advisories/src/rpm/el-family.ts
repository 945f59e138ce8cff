import type { Platform } from '@plimsoll/model';
import { epel } from './add-on.ts';
import type { DistTag } from './dist-tag.ts';
import type { KernelStyle } from './kernel-package.ts';
import type { RpmFamily } from './rpm-family.ts';

/** Red Hat Enterprise Linux 8 split `kernel` into `kernel-core` and its modules. */
const firstWithCore = 8;
const majorNumber = /^\d{1,2}$/;
/** `uek` marks Oracle's kernels; other letters after `el8` mark products and repositories outside the distribution. */
const ownSuffixes: ReadonlySet<string> = new Set(['', 'uek', 'a', 'b']);

type ElFamily = Pick<RpmFamily, 'id' | 'osIds' | 'lastDays' | 'vendors'> &
  Partial<Pick<RpmFamily, 'lines' | 'ratesClosedLines' | 'extended' | 'edition'>>;

/** Red Hat Enterprise Linux or a distribution rebuilt from it: releases are major numbers, dist tags `el8`. */
export function elFamily(family: ElFamily): RpmFamily {
  return {
    lines: { minor: false, kernels: 'one' },
    ratesClosedLines: false,
    addOns: [epel],
    ...family,
    numberOf: majorOf,
    isNumber: (number) => majorNumber.test(number),
    isOwnTag,
    kernelStyle,
  };
}

function majorOf({ osVersionId, osVersion }: Platform): string | null {
  const number = (osVersionId === '' ? osVersion : osVersionId).split('.', 1)[0] ?? '';
  return majorNumber.test(number) ? number : null;
}

function isOwnTag({ family, number: tagged, suffix }: DistTag, number: string): boolean {
  return family === 'el' && tagged === number && ownSuffixes.has(suffix);
}

function kernelStyle(number: string): KernelStyle {
  return { style: 'red_hat', hasCore: number === '' || Number(number) >= firstWithCore };
}
