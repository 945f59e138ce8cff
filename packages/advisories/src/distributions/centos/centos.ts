import { elFamily } from '../../rpm/el-family.ts';
import { rpmDistribution } from '../../rpm/rpm-distribution.ts';
import { lastDaysOf } from '../../rpm/rpm-family.ts';

/** CentOS Linux and CentOS Stream. From 8 on it publishes no advisories except a repository's updateinfo. */
export const centosFamily = elFamily({
  id: 'centos',
  osIds: ['centos'],
  vendors: new Set(['centos']),
  // https://www.centos.org/centos-linux-eol/ and https://www.centos.org/cl-vs-cs/; from 8 on they are of CentOS
  // Stream, https://blog.centos.org/2023/04/end-dates-are-coming-for-centos-stream-8-and-centos-linux-7/.
  lastDays: lastDaysOf(
    `4=2012-02-29 5=2017-03-31 6=2020-11-30 7=2024-06-30 8=2024-05-31 9=2027-05-31
    10=2030-05-31`,
  ),
  edition: { name: /^CentOS Linux\b/, lastDays: lastDaysOf('8=2021-12-31') },
});

/** CentOS as a distribution. */
export const centos = rpmDistribution(centosFamily);
