import { elFamily } from '../../rpm/el-family.ts';
import { lastDaysOf } from '../../rpm/rpm-family.ts';

/** Red Hat Enterprise Linux. Minor releases under extended support have their own builds. */
export const rhelFamily = elFamily({
  id: 'rhel',
  osIds: ['rhel', 'redhat'],
  vendors: new Set(['red hat, inc.', 'red hat', 'red hat inc.']),
  // End of the maintenance phase, https://access.redhat.com/support/policy/updates/errata.
  lastDays: lastDaysOf(
    `4=2012-02-29 5=2017-03-31 6=2020-11-30 7=2024-06-30 8=2029-05-31 9=2032-05-31
    10=2035-05-31`,
  ),
  // Extended Life Cycle Support: four years for 7 as announced, three for others.
  extended: {
    service: 'els',
    repository: /(?:^|[^a-z])els(?:[^a-z]|$)/i,
    lastDays: lastDaysOf(
      `4=2017-03-31 5=2020-11-30 6=2024-06-30 7=2028-06-30 8=2032-05-31 9=2035-05-31
      10=2038-05-31`,
    ),
  },
  lines: { minor: true, kernels: 'one' },
});
