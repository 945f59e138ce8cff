import { cvssMetrics, cvssVersion } from '../../src/words/cvss-words.ts';

describe('a CVSS vector in words', () => {
  it('has every base metric of version 3.1', () => {
    const metrics = cvssMetrics('CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:C/C:H/I:L/A:N');
    expect(metrics.map(({ metric, value }) => `${metric}: ${value.split(':')[0]}`)).toEqual([
      'Attack from: network',
      'Difficulty: high',
      'Privileges needed: none',
      'Action of a user: required',
      'Scope: reaches beyond the vulnerable software',
      'Confidentiality: high',
      'Integrity: low',
      'Availability: none',
    ]);
  });

  it.each([
    ['CVSS:4.0/AV:N/AC:L/AT:P/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:S/SA:N', 'CVSS 4.0', 11],
    ['AV:N/AC:L/Au:N/C:P/I:P/A:C', 'CVSS 2.0', 6],
    ['CVSS:3.0/AV:L/AC:L/PR:L/UI:N/S:U/C:H/I:H/A:H', 'CVSS 3.0', 8],
  ])('%s is of its version, and no metric of it is left in letters', (vector, version, count) => {
    expect(cvssVersion(vector)).toBe(version);
    const metrics = cvssMetrics(vector);
    expect(metrics).toHaveLength(count);
    for (const { metric, value } of metrics) expect([metric, value]).not.toContain(value.toUpperCase());
  });

  it('keeps the letters of metrics that it does not know, and is empty for other text', () => {
    expect(cvssMetrics('CVSS:3.1/AV:N/E:P/constructor:x/AC:toString')).toMatchObject([
      { metric: 'Attack from' },
      { metric: 'E', value: 'P' },
      { metric: 'constructor', value: 'x' },
      { metric: 'Difficulty', value: 'toString' },
    ]);
    expect(cvssMetrics('nonsense')).toEqual([]);
    expect(cvssMetrics('/'.repeat(100_000))).toEqual([]);
  });
});
