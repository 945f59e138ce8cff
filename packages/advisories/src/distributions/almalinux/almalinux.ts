import { elFamily } from '../../rpm/el-family.ts';
import { rpmDistribution } from '../../rpm/rpm-distribution.ts';
import { lastDaysOf } from '../../rpm/rpm-family.ts';

/** AlmaLinux. Its builds have their own numbers, so Red Hat's advisories do not apply to them. */
export const almalinuxFamily = elFamily({
  id: 'almalinux',
  osIds: ['almalinux'],
  vendors: new Set(['almalinux', 'almalinux os foundation']),
  // End of security support, https://wiki.almalinux.org/release-notes/ (support policy: ten years).
  lastDays: lastDaysOf('8=2029-05-31 9=2032-05-31 10=2035-05-31'),
});

/** AlmaLinux as a distribution. */
export const almalinux = rpmDistribution(almalinuxFamily);
