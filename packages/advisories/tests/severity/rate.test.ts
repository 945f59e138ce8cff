import type { Rating } from '@plimsoll/model';
import { rate, worseRating } from '../../src/severity/rating.ts';

const nine = { score: 9.8, vector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H' };

describe('the rating of a record', () => {
  it.each([
    ['low', nine, { severity: 'low', severitySource: 'vendor' }],
    ['none', nine, { severity: 'none', severitySource: 'vendor' }],
    [null, nine, { severity: 'critical', severitySource: 'cvss' }],
    [null, null, { severity: 'unrated', severitySource: 'none' }],
  ] as const)('of the word %s is %j', (word, cvss, expected) => {
    expect(rate(word, cvss)).toEqual(expected);
  });

  it('of two is the worse one, and of two equal ones the vendor’s', () => {
    const byVendor: Rating = { severity: 'critical', severitySource: 'vendor' };
    const byCvss: Rating = { severity: 'critical', severitySource: 'cvss' };
    const low: Rating = { severity: 'low', severitySource: 'vendor' };
    expect(worseRating(byCvss, byVendor)).toEqual(byVendor);
    expect(worseRating(byVendor, byCvss)).toEqual(byVendor);
    expect(worseRating(low, byCvss)).toEqual(byCvss);
  });
});
