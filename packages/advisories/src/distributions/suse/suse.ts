import type { Platform } from '@plimsoll/model';
import { packageHub } from '../../rpm/add-on.ts';
import { rpmDistribution } from '../../rpm/rpm-distribution.ts';
import { lastDaysOf, type RpmFamily } from '../../rpm/rpm-family.ts';

const releaseNumber = /^\d{1,2}(?:\.\d{1,2})?$/;
/** SLES for SAP has counted its media: `12.1.0.1`. */
const mediaNumber = /^(\d{1,2}\.\d{1,2})(?:\.\d{1,2})+$/;
/** Service pack 0 before 16: `12.0` is 12. */
const firstOfMajor = /^(1[0-5])\.0$/;
/** The number of openSUSE Tumbleweed, a rolling distribution whose version is the date of its last update. */
export const tumbleweed = 'tumbleweed';

const common: Pick<
  RpmFamily,
  'numberOf' | 'isNumber' | 'isOwnTag' | 'kernelStyle' | 'lines' | 'ratesClosedLines'
> = {
  numberOf: ({ osVersionId }: Platform) => (releaseNumber.test(osVersionId) ? osVersionId : null),
  isNumber: (number) => releaseNumber.test(number),
  // SUSE's own builds have no tag.
  isOwnTag: () => false,
  kernelStyle: () => ({ style: 'suse', hasCore: false }),
  lines: { minor: false, kernels: 'one' },
  ratesClosedLines: false,
};

/** SUSE Linux Enterprise: each service pack is a release, `15.5`. */
export const suseFamily: RpmFamily = {
  ...common,
  id: 'suse',
  numberOf: ({ osVersionId }) => {
    const number = (mediaNumber.exec(osVersionId)?.[1] ?? osVersionId).replace(firstOfMajor, '$1');
    return releaseNumber.test(number) ? number : null;
  },
  osIds: ['sles', 'sled', 'sles_sap', 'sle_hpc', 'sle-hpc', 'suse-microos', 'sle-micro', 'sl-micro'],
  vendors: new Set(['suse llc', 'suse linux products gmbh', 'suse linux products gmbh, nuernberg, germany']),
  addOns: [packageHub],
  // End of general support, https://www.suse.com/lifecycle; 5 and 6 are SUSE Linux Micro.
  lastDays: lastDaysOf(
    `5.0=2022-03-31 5.1=2025-10-31 5.2=2026-04-30 5.3=2026-10-30 5.4=2027-04-30
    5.5=2027-10-31 6.0=2028-06-30 6.1=2028-11-30 6.2=2029-11-30 10=2007-12-31
    10.1=2008-11-30 10.2=2010-04-11 10.3=2011-10-11 10.4=2013-07-31 11=2010-12-31
    11.1=2012-08-31 11.2=2014-01-31 11.3=2016-01-31 11.4=2019-03-31 12=2016-06-30
    12.1=2017-05-31 12.2=2018-03-31 12.3=2019-06-30 12.4=2020-06-30 12.5=2024-10-31
    15=2019-12-31 15.1=2021-01-31 15.2=2021-12-31 15.3=2022-12-31 15.4=2023-12-31
    15.5=2024-12-31 15.6=2025-12-31 15.7=2031-07-31 16.0=2027-11-30`,
  ),
  // Long Term Service Pack Support, whose builds are in its own repositories.
  extended: {
    service: 'ltss',
    repository: /(?:^|[^a-z])ltss(?:[^a-z]|$)/i,
    lastDays: lastDaysOf(
      `11.4=2022-03-31 12.1=2020-05-31 12.2=2021-03-31 12.3=2022-06-30 12.4=2023-06-30
      12.5=2027-10-31 15=2022-12-31 15.1=2024-01-31 15.2=2024-12-31 15.3=2025-12-31
      15.4=2026-12-31 15.5=2027-12-31 15.6=2028-12-31 15.7=2034-07-31 16.0=2030-11-30`,
    ),
  },
};

/** openSUSE, with builds of SUSE and its own: Leap, and Tumbleweed as one release without an end. */
export const openSuseFamily: RpmFamily = {
  ...common,
  id: 'opensuse',
  osIds: [
    'opensuse-leap',
    'opensuse',
    'opensuse-tumbleweed',
    'opensuse-microos',
    'opensuse-aeon',
    'opensuse-kalpa',
  ],
  numberOf: (platform) =>
    /-(?:tumbleweed|microos|aeon|kalpa)$/.test(platform.osId) ? tumbleweed : common.numberOf(platform),
  isNumber: (number) => number === tumbleweed || common.isNumber(number),
  vendors: new Set([
    'opensuse',
    'suse llc',
    'suse linux products gmbh',
    'suse linux products gmbh, nuernberg, germany',
  ]),
  // https://en.opensuse.org/Lifetime.
  lastDays: lastDaysOf(
    `11.0=2010-07-26 11.1=2011-01-14 11.2=2011-05-12 11.3=2012-01-20 11.4=2012-11-05
    12.1=2013-05-15 12.2=2014-01-15 12.3=2015-01-29 13.1=2016-02-03 13.2=2017-01-17
    42.1=2017-05-17 42.2=2018-01-26 42.3=2019-07-01 15.0=2019-12-03 15.1=2021-02-02
    15.2=2022-01-04 15.3=2022-12-31 15.4=2023-12-07 15.5=2024-12-31 15.6=2026-04-30
    16.0=2027-10-31`,
  ),
};

/** SUSE Linux Enterprise as a distribution. */
export const suse = rpmDistribution(suseFamily);

/** openSUSE as a distribution. */
export const openSuse = rpmDistribution(openSuseFamily);
