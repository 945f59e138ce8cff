import type { Distribution } from '../../distribution.ts';
import {
  classify,
  classifyCompanion,
  classifyUpgrade,
  kernelImageOf,
  runningKernelSubject,
} from './classify.ts';
import { runningVersionOf } from './kernel-package.ts';
import { isDebianRelease, lifecycleOf, releaseOfPlatform } from './releases.ts';

/** Debian. Hosts of derivatives share its packages, see baseOf. */
export const debian: Distribution = {
  id: 'debian',
  scheme: 'dpkg',
  releaseOf: releaseOfPlatform,
  owns: isDebianRelease,
  classify,
  classifyCompanion,
  classifyUpgrade,
  runningKernelVersion: ({ runningVersion }) => runningVersionOf(runningVersion),
  kernelImageOf,
  runningKernelSubject,
  hasService: () => false,
  lifecycleOf,
};
