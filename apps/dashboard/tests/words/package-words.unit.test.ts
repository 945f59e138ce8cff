import { evidenceCodes, type KernelPosture } from '@plimsoll/advisories';
import { unknownReasons } from '@plimsoll/model';
import { noteWords, rebootReason, verdictReason } from '@plimsoll/words';
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

/** The compiler names a code that is missing here. */
const rebootCodes: Readonly<Record<KernelPosture['rebootReasons'][number]['code'], true>> = {
  container: true,
  newer_kernel_installed: true,
  running_kernel_replaced: true,
  core_package_updated: true,
  reboot_required_flag: true,
  reboot_required_by_tool: true,
};

describe('the words of a code', () => {
  it.each([
    ['notes of a finding', evidenceCodes, noteWords],
    [
      'reasons without a verdict',
      [...unknownReasons, 'kernel_companion', 'kernel_metapackage'],
      verdictReason,
    ],
    ['reasons for a reboot', Object.keys(rebootCodes), rebootReason],
  ] as const)('%s: each code has its own words, and none is shown as it is', (_what, codes, wordsOf) => {
    const words = codes.map(wordsOf);
    expect(words).not.toHaveLength(0);
    expect(new Set(words).size).toBe(codes.length);
    expect(words.filter((text, n) => text === codes[n]?.replaceAll('_', ' '))).toEqual([]);
  });

  it('shows a code of a newer service as it is', () => {
    expect([noteWords('new_note'), verdictReason('new_reason'), rebootReason('new_code')]).toEqual([
      'new note',
      'new reason',
      'new code',
    ]);
  });
});
