import { versionSchemes } from '@plimsoll/model';
import fc from 'fast-check';
import { compareKeys, type VersionScheme, versionKey } from '../src/index.ts';
import { MAX_KEY_BYTES } from '../src/numbers.ts';
import { MAX_VERSION_CHARACTERS } from '../src/version.ts';
import { keyOf } from './key-of.ts';

/** Few different characters, so that generated versions often share a prefix. */
const ALPHABETS: Record<VersionScheme, string[]> = {
  dpkg: [...'0019aAzZ~~++.--:_'],
  rpm: [...'0019aAzZ~~^^..--:_+α'],
};

const COMPARISONS: fc.Parameters<unknown> = { numRuns: 1000 };

function textsOf(scheme: VersionScheme): fc.Arbitrary<string> {
  const anything = fc.string({ unit: fc.constantFrom(...ALPHABETS[scheme]), minLength: 1, maxLength: 12 });
  const number = fc.bigInt({ min: 0n, max: 10n ** 40n }).map(String);
  const usual = fc.tuple(fc.nat(3), anything, number, anything).map(([e, v, n, r]) => `${e}:${v}${n}-${r}`);
  return fc.oneof(anything, usual).filter((text) => versionKey(scheme, text).kind === 'key');
}

describe.each(versionSchemes)('%s', (scheme) => {
  const texts = textsOf(scheme);

  it('has keys that are never a prefix of another key', () => {
    const law = fc.property(texts, texts, (a, b) => {
      const [left, right] = [keyOf(scheme, a), keyOf(scheme, b)];
      const begins = left.length < right.length && compareKeys(left, right.subarray(0, left.length)) === 0;
      expect(begins).toBe(false);
    });
    fc.assert(law, COMPARISONS);
  });

  it('drops leading zeros of every number', () => {
    const law = fc.property(texts, fc.integer({ min: 1, max: 4 }), (text, zeros) => {
      const padded = text.replace(/\d+/g, (digits) => '0'.repeat(zeros) + digits);
      expect(keyOf(scheme, padded)).toEqual(keyOf(scheme, text));
    });
    fc.assert(law);
  });

  it('never throws', () => {
    const units = fc.constantFrom<fc.StringConstraints['unit'][]>('binary', 'grapheme', 'grapheme-ascii');
    const hostile = units.chain((unit) => fc.string({ unit: unit ?? 'binary', maxLength: 40 }));
    fc.assert(
      fc.property(hostile, (text) => ['key', 'unparseable'].includes(versionKey(scheme, text).kind)),
      COMPARISONS,
    );
  });

  it('has a key within the limit for every version within the length limit', () => {
    const unit = fc.constantFrom(...ALPHABETS[scheme]);
    const long = fc
      .string({
        unit,
        minLength: MAX_VERSION_CHARACTERS - 10,
        maxLength: MAX_VERSION_CHARACTERS - 3,
        size: 'max',
      })
      .map((text) => `1:${text}0`)
      .filter((text) => versionKey(scheme, text).kind === 'key');
    fc.assert(
      fc.property(long, (text) => keyOf(scheme, text).length <= MAX_KEY_BYTES),
      { numRuns: 50 },
    );
  });
});

/** Two spellings of one version, with the rule that makes them equal. */
const SPELLINGS: [rule: string, scheme: VersionScheme, respell: (text: string) => string | null][] = [
  ['dpkg: epoch 0', 'dpkg', (text) => (text.includes(':') ? null : `0:${text}`)],
  ['dpkg: epoch (none)', 'dpkg', (text) => (text.includes(':') ? null : `(none):${text}`)],
  ['dpkg: revision 0', 'dpkg', (text) => (text.includes('-') ? null : `${text}-0`)],
  ['rpm: epoch 0', 'rpm', (text) => (/^\d*:/.test(text) ? null : `0:${text}`)],
  ['rpm: epoch (none)', 'rpm', (text) => (/^\d*:/.test(text) ? null : `(none):${text}`)],
  ['rpm: which separators', 'rpm', (text) => text.replace(/[.+_]/g, '_.')],
  ['rpm: separators at the end', 'rpm', (text) => `${text}.`],
];

it.each(SPELLINGS)('gives equal versions of different spelling one key (%s)', (_rule, scheme, respell) => {
  const law = fc.property(textsOf(scheme), (text) => {
    const other = respell(text);
    fc.pre(other !== null);
    expect(keyOf(scheme, other)).toEqual(keyOf(scheme, text));
  });
  fc.assert(law);
});
