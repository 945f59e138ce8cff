import type { Subscription } from '@plimsoll/model';
import type { Distribution } from '../../distribution.ts';
import { classify, classifyCompanion, classifyUpgrade, runningKernelSubject } from './classify.ts';
import { kernelImageOf, runningVersionOf } from './kernel-package.ts';
import { isUbuntuRelease, lifecycleOf, releaseOfPlatform } from './releases.ts';

/** Ubuntu, with Ubuntu Pro. Hosts of derivatives such as Linux Mint share its packages, see baseOf. */
export const ubuntu: Distribution = {
  id: 'ubuntu',
  scheme: 'dpkg',
  releaseOf: releaseOfPlatform,
  owns: isUbuntuRelease,
  classify,
  classifyCompanion,
  classifyUpgrade,
  runningKernelVersion: runningVersionOf,
  kernelImageOf,
  runningKernelSubject,
  hasService,
  noticesNamePackages: 'several',
  lifecycleOf,
};

/** Services that deliver a service's fixes. `esm`: the advisory does not say which of the two. */
const alternatives: ReadonlyMap<string, readonly string[]> = new Map([
  ['esm', ['esm-infra', 'esm-apps']],
  ['fips', ['fips', 'fips-updates']],
]);

/** Whether a host is attached to Ubuntu Pro with a service enabled; false without subscription data. */
function hasService(subscription: Subscription | null, service: string): boolean {
  if (subscription?.attached !== true) return false;
  return (alternatives.get(service) ?? [service]).some((name) => subscription.services.includes(name));
}
