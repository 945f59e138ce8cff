import { rpmDistribution } from '../../rpm/rpm-distribution.ts';
import { lastDaysOf, type RpmFamily } from '../../rpm/rpm-family.ts';

const releaseNumber = /^\d{1,3}$/;

/** Fedora. Packages that were not rebuilt carry the tag of an older release: `fc41` on 42. */
export const fedoraFamily: RpmFamily = {
  id: 'fedora',
  osIds: ['fedora'],
  numberOf: ({ osVersionId }) => (releaseNumber.test(osVersionId) ? osVersionId : null),
  isNumber: (number) => releaseNumber.test(number),
  vendors: new Set(['fedora project']),
  // https://fedorapeople.org/groups/schedule/, end of life of each release.
  lastDays: lastDaysOf(
    `19=2015-01-06 20=2015-06-23 21=2015-12-01 22=2016-07-19 23=2016-12-20 24=2017-08-08
    25=2017-12-12 26=2018-05-29 27=2018-11-30 28=2019-05-28 29=2019-11-26 30=2020-05-26
    31=2020-11-24 32=2021-05-25 33=2021-11-30 34=2022-06-07 35=2022-12-13 36=2023-05-16
    37=2023-12-05 38=2024-05-21 39=2024-11-26 40=2025-05-13 41=2025-12-15 42=2026-05-27
    43=2026-12-09 44=2027-06-02`,
  ),
  isOwnTag: ({ family, number: tagged }, number) => family === 'fc' && Number(tagged) <= Number(number),
  kernelStyle: () => ({ style: 'red_hat', hasCore: true }),
  lines: { minor: false, kernels: 'one' },
  ratesClosedLines: false,
};

/** Fedora as a distribution. */
export const fedora = rpmDistribution(fedoraFamily);
