import { elFamily } from '../../rpm/el-family.ts';
import { rpmDistribution } from '../../rpm/rpm-distribution.ts';
import { lastDaysOf } from '../../rpm/rpm-family.ts';

/** Oracle Linux. Several lines of its own kernel share one name; it also rates builds for FIPS and Ksplice. */
export const oracleFamily = elFamily({
  id: 'oracle',
  osIds: ['ol'],
  vendors: new Set(['oracle america', 'oracle america, inc.', 'oracle', 'oracle linux']),
  // End of Premier Support, Oracle Open Source Support Policies.
  lastDays: lastDaysOf(
    `4=2013-02-28 5=2017-06-30 6=2021-03-31 7=2024-12-31 8=2029-07-31 9=2032-06-30
    10=2035-06-30`,
  ),
  lines: { minor: false, kernels: 'uek' },
  ratesClosedLines: true,
});

/** Oracle Linux as a distribution. */
export const oracle = rpmDistribution(oracleFamily);
