import type { Platform } from '@plimsoll/model';
import { packageHub } from '../../rpm/add-on.ts';
import { rpmDistribution } from '../../rpm/rpm-distribution.ts';
import type { RpmFamily } from '../../rpm/rpm-family.ts';

const releaseNumber = /^\d{1,2}(?:\.\d{1,2})?$/;
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
  osIds: ['sles', 'sled', 'sles_sap', 'sle_hpc', 'sle-hpc', 'suse-microos', 'sle-micro', 'sl-micro'],
  vendors: new Set(['suse llc', 'suse linux products gmbh', 'suse linux products gmbh, nuernberg, germany']),
  addOns: [packageHub],
  // End of general support, https://www.suse.com/lifecycle.
  lastDays: new Map([
    ['12', '2016-06-30'],
    ['12.1', '2017-05-31'],
    ['12.2', '2018-03-31'],
    ['12.3', '2019-06-30'],
    ['12.4', '2020-06-30'],
    ['12.5', '2024-10-31'],
    ['15', '2019-12-31'],
    ['15.1', '2021-01-31'],
    ['15.2', '2021-12-31'],
    ['15.3', '2022-12-31'],
    ['15.4', '2023-12-31'],
    ['15.5', '2024-12-31'],
    ['15.6', '2025-12-31'],
    ['15.7', '2031-07-31'],
    ['16.0', '2027-11-30'],
  ]),
};

/** openSUSE, with builds of SUSE and its own: Leap, and Tumbleweed as one release without an end. */
export const openSuseFamily: RpmFamily = {
  ...common,
  id: 'opensuse',
  osIds: ['opensuse-leap', 'opensuse', 'opensuse-tumbleweed'],
  numberOf: (platform) => (platform.osId === 'opensuse-tumbleweed' ? tumbleweed : common.numberOf(platform)),
  isNumber: (number) => number === tumbleweed || common.isNumber(number),
  vendors: new Set([
    'opensuse',
    'suse llc',
    'suse linux products gmbh',
    'suse linux products gmbh, nuernberg, germany',
  ]),
  // https://en.opensuse.org/Lifetime.
  lastDays: new Map([
    ['42.3', '2019-07-01'],
    ['15.0', '2019-12-03'],
    ['15.1', '2021-02-02'],
    ['15.2', '2022-01-04'],
    ['15.3', '2022-12-31'],
    ['15.4', '2023-12-07'],
    ['15.5', '2024-12-31'],
    ['15.6', '2026-04-30'],
    ['16.0', '2027-10-31'],
  ]),
};

/** SUSE Linux Enterprise as a distribution. */
export const suse = rpmDistribution(suseFamily);

/** openSUSE as a distribution. */
export const openSuse = rpmDistribution(openSuseFamily);
