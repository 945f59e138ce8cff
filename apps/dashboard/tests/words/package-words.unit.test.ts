import { type CheckedPackage, checkWord } from '../../src/words/package-words.ts';

const found = (some: Partial<CheckedPackage>): CheckedPackage => ({
  verdict: 'comparable',
  verdict_reason: null,
  checked: true,
  covered_by: null,
  ...some,
});

describe('whether a package was checked', () => {
  it.each([
    [found({}), 'Checked', 'good'],
    [found({ checked: false }), 'Not checked', 'neutral'],
    [found({ verdict: 'unknown', verdict_reason: 'backport', checked: false }), 'Not checked', 'moderate'],
    [
      found({
        verdict: 'excluded',
        verdict_reason: 'kernel_companion',
        checked: false,
        covered_by: 'linux-image-6',
      }),
      'Covered by linux-image-6',
      'neutral',
    ],
    [
      found({ verdict: 'excluded', verdict_reason: 'not_a_package', checked: false }),
      'Not a package',
      'neutral',
    ],
  ])('%j: %s', (row, words, tone) => {
    expect(checkWord(row)).toMatchObject({ words, tone });
  });
});
