import { elFamily } from '../../rpm/el-family.ts';
import { rpmDistribution } from '../../rpm/rpm-distribution.ts';
import { lastDaysOf } from '../../rpm/rpm-family.ts';

/** Rocky Linux. Packages of its special interest groups have other vendors. */
export const rockyFamily = elFamily({
  id: 'rocky',
  osIds: ['rocky'],
  vendors: new Set(['rocky', 'rocky linux', 'rocky enterprise software foundation', 'resf']),
  // End of life, https://wiki.rockylinux.org/rocky/version/.
  lastDays: lastDaysOf('8=2029-05-31 9=2032-05-31 10=2035-05-31'),
});

/** Rocky Linux as a distribution. */
export const rocky = rpmDistribution(rockyFamily);
