import type { Distribution } from '../../distribution.ts';
import { classify, classifyUpgrade, runningKernelSubject } from './classify.ts';
import { kernelImageOf, runningVersionOf } from './kernel-package.ts';
import { isUbuntuRelease, lifecycleOf, releaseOfPlatform } from './releases.ts';
import { hasService } from './subscription.ts';

/** Ubuntu, with Ubuntu Pro. Derivatives such as Linux Mint mix in their own packages. */
export const ubuntu: Distribution = {
  id: 'ubuntu',
  scheme: 'dpkg',
  releaseOf: releaseOfPlatform,
  owns: isUbuntuRelease,
  classify,
  classifyUpgrade,
  runningKernelVersion: runningVersionOf,
  kernelImageOf,
  runningKernelSubject,
  hasService,
  lifecycleOf,
};
