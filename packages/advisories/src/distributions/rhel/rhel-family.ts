import { elFamily } from '../../rpm/el-family.ts';

/** Red Hat Enterprise Linux. Minor releases under extended support have their own builds. */
export const rhelFamily = elFamily({
  id: 'rhel',
  osIds: ['rhel', 'redhat'],
  vendors: new Set(['red hat, inc.', 'red hat', 'red hat inc.']),
  // End of the maintenance phase, https://access.redhat.com/support/policy/updates/errata.
  lastDays: new Map([
    ['5', '2017-03-31'],
    ['6', '2020-11-30'],
    ['7', '2024-06-30'],
    ['8', '2029-05-31'],
    ['9', '2032-05-31'],
    ['10', '2035-05-31'],
  ]),
  lines: { minor: true, kernels: 'one' },
});
