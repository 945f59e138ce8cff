import type { Distribution } from '../../distribution.ts';
import { rpmDistribution } from '../../rpm/rpm-distribution.ts';
import { followedReleaseLine } from './followed-release-line.ts';
import { rhelFamily } from './rhel-family.ts';

/** Red Hat Enterprise Linux as a distribution; its hosts' repositories show which minor release they follow. */
export const rhel: Distribution = { ...rpmDistribution(rhelFamily), followedReleaseLine };
