import { amountInWords, groupedNumber, hostsInWords } from '../../src/design/number-words.ts';

describe('a number in words', () => {
  it.each([
    [0, '0 hosts'],
    [1, '1 host'],
    [2, '2 hosts'],
    [1_234_567, '1,234,567 hosts'],
  ])('%d: %s', (count, words) => {
    expect(hostsInWords(count)).toBe(words);
  });

  it('takes any noun, and groups the digits alone as well', () => {
    expect(amountInWords(1, 'advisory', 'advisories')).toBe('1 advisory');
    expect(amountInWords(1_000, 'advisory', 'advisories')).toBe('1,000 advisories');
    expect(groupedNumber(999)).toBe('999');
  });
});
