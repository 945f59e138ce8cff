import { rpmDistribution } from '../../rpm/rpm-distribution.ts';
import { lastDaysOf, type RpmFamily } from '../../rpm/rpm-family.ts';
import { extrasLineOf, isRatedLine } from './topics.ts';

const numbers: ReadonlySet<string> = new Set(['1', '2', '2022', '2023']);

/**
 * Amazon Linux. The extras of release 2 have other lines of its core packages under the same names, such as `kernel` of 5.10
 * and 5.15.
 */
export const amazonFamily: RpmFamily = {
  id: 'amazon',
  osIds: ['amzn'],
  numberOf({ osVersionId }) {
    const number = osVersionId.split('.', 1)[0] ?? '';
    // Releases before 2 have a date as their number: 2018.03.
    if (/^201[1-8]$/.test(number)) return '1';
    return numbers.has(number) ? number : null;
  },
  isNumber: (number) => numbers.has(number),
  vendors: new Set(['amazon', 'amazon linux', 'amazon.com', 'amazon aws', 'amazon linux ami']),
  // https://aws.amazon.com/amazon-linux-2/faqs/, https://docs.aws.amazon.com/linux/al2023/release-notes/support-info-by-support-statement.html.
  lastDays: lastDaysOf('1=2023-12-31 2=2026-06-30 2022=2023-03-15 2023=2029-06-30'),
  isOwnTag: ({ family, number: tagged }, number) => family === 'amzn' && tagged === number,
  kernelStyle: () => ({ style: 'red_hat', hasCore: false }),
  lines: { minor: false, kernels: 'one', collectionLineOf: extrasLineOf },
  isRatedLine,
  ratesClosedLines: false,
};

/** Amazon Linux as a distribution. */
export const amazon = rpmDistribution(amazonFamily);
