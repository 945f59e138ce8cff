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
  // Extended Life Cycle Support.
  extended: {
    service: 'els',
    repository: /(?:^|[^a-z])els(?:[^a-z]|$)/i,
    lastDays: lastDaysOf(
      `4=2017-03-31 5=2020-11-30 6=2024-06-30 7=2029-05-31 8=2033-05-31 9=2036-05-31
      10=2039-05-31`,
    ),
  },
  lines: { minor: true, kernels: 'one' },
});
