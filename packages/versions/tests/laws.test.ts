import { versionSchemes } from '@plimsoll/model';
import fc from 'fast-check';
import {
  compareKeys,
  compareVersions,
  MAX_KEY_BYTES,
  MAX_VERSION_CHARACTERS,
  parseVersion,
  sortKey,
  type Version,
  type VersionScheme,
  versionKey,
} from '../src/index.ts';
import { keyOf, versionOf } from './parsed.ts';

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
  return fc.oneof(anything, usual).filter((text) => parseVersion(scheme, text).kind === 'version');
}

describe.each(versionSchemes)('%s', (scheme) => {
  const texts = textsOf(scheme);
  const versions = texts.map((text) => versionOf(scheme, text));
  const order = (a: Version, b: Version) => compareVersions(scheme, a, b);
  const keyOrder = (a: Version, b: Version) => compareKeys(sortKey(a), sortKey(b));

  it('is reflexive', () => {
    fc.assert(fc.property(texts, (text) => order(versionOf(scheme, text), versionOf(scheme, text)) === 0));
  });

  it('is antisymmetric', () => {
    fc.assert(
      fc.property(versions, versions, (a, b) => order(a, b) === 0 - order(b, a)),
      COMPARISONS,
    );
  });

  it('is transitive', () => {
    const law = fc.property(versions, versions, versions, (a, b, c) => {
      const [low, middle, high] = [a, b, c].sort(order);
      if (low && middle && high) {
        expect(order(low, middle)).not.toBe(1);
        expect(order(middle, high)).not.toBe(1);
        expect(order(low, high)).toBe(order(low, middle) || order(middle, high));
      }
    });
    fc.assert(law, COMPARISONS);
  });

  it('has keys whose bytes order as the comparator does, equality included', () => {
    fc.assert(
      fc.property(versions, versions, (a, b) => keyOrder(a, b) === order(a, b)),
      COMPARISONS,
    );
  });

  it('has keys that are never a prefix of another key', () => {
    const law = fc.property(versions, versions, (a, b) => {
      const [left, right] = [sortKey(a), sortKey(b)];
      const begins = left.length < right.length && compareKeys(left, right.subarray(0, left.length)) === 0;
      expect(begins).toBe(false);
    });
    fc.assert(law, COMPARISONS);
  });

  it('gives a text and its parsed version the same key', () => {
    fc.assert(
      fc.property(texts, (text) => compareKeys(keyOf(scheme, text), sortKey(versionOf(scheme, text))) === 0),
    );
  });

  it('drops leading zeros of every number', () => {
    const law = fc.property(texts, fc.integer({ min: 1, max: 4 }), (text, zeros) => {
      const padded = text.replace(/\d+/g, (digits) => '0'.repeat(zeros) + digits);
      expect(order(versionOf(scheme, text), versionOf(scheme, padded))).toBe(0);
      expect(keyOf(scheme, padded)).toEqual(keyOf(scheme, text));
    });
    fc.assert(law);
  });

  it('never throws, and refuses the same texts by key as by parsing', () => {
    const units = fc.constantFrom<fc.StringConstraints['unit'][]>('binary', 'grapheme', 'grapheme-ascii');
    const hostile = units.chain((unit) => fc.string({ unit: unit ?? 'binary', maxLength: 40 }));
    const law = fc.property(hostile, (text) => {
      const parsed = parseVersion(scheme, text);
      const key = versionKey(scheme, text);
      expect(key.kind).toBe(parsed.kind === 'version' ? 'key' : 'unparseable');
      if (parsed.kind === 'version') expect(key).toEqual({ kind: 'key', key: sortKey(parsed) });
      else expect(key).toEqual(parsed);
    });
    fc.assert(law, COMPARISONS);
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
      .filter((text) => parseVersion(scheme, text).kind === 'version');
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
    expect(compareVersions(scheme, versionOf(scheme, text), versionOf(scheme, other))).toBe(0);
    expect(keyOf(scheme, other)).toEqual(keyOf(scheme, text));
  });
  fc.assert(law);
});
