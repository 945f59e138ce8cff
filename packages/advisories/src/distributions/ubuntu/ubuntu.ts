import type { Distribution } from '../../distribution.ts';
import { classify, classifyUpgrade, runningKernelSubject } from './classify.ts';
import { kernelImageOf, runningVersionOf } from './kernel-package.ts';
import { isUbuntuRelease, lifecycleOf, releaseOfPlatform } from './releases.ts';
import { hasService } from './subscription.ts';

/** Ubuntu itself, with Ubuntu Pro. Derivatives such as Linux Mint mix packages of their own among Ubuntu's. */
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
