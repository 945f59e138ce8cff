import { versionSchemes } from '@plimsoll/model';
import { compareKeys, type VersionScheme, versionKey } from '../src/index.ts';
import { MAX_KEY_BYTES } from '../src/numbers.ts';
import { MAX_VERSION_CHARACTERS } from '../src/version.ts';
import { keyOf } from './key-of.ts';

/** Stored keys outlive a release: a change of these bytes requires rewriting every key in the database. */
const STORED: Record<VersionScheme, [text: string, hex: string][]> = {
  dpkg: [
    ['0', '03' + '0302' + '0302'],
    ['1:1.2~rc1-3', '04' + '04f805' + '01edde04' + '02' + '0602'],
    ['1.0_Az', '03' + '04f803' + 'fac2f5' + '03' + '02' + '0302'],
    ['0:+-.:', '03' + 'f603' + '02' + 'f8f903' + '02'],
    ['a-b-0', '03' + 'dcf7dd03' + '02' + '0302'],
    ['127.128.12415.12416', '03' + '82f88300f8b2fff8b5011810' + '02' + '0302'],
  ],
  rpm: [
    ['1.0', '05' + '0605' + '02' + '00'],
    ['1.0-', '05' + '0605' + '02' + '02'],
    [
      '2:1.0^git~5-3.el9',
      '07' + '0605' + '03' + '0467697401' + '01' + '0a' + '02' + '08' + '04656c01' + '0e02',
    ],
    ['127.128.27775.27776', '05' + '848500f0fff3024d4c' + '02' + '00'],
  ],
};

describe.each(versionSchemes)('%s', (scheme) => {
  it.each(STORED[scheme])('keeps the bytes of stored keys: %s', (text, hex) => {
    expect(Buffer.from(keyOf(scheme, text)).toString('hex')).toBe(hex);
  });

  it('orders numbers by value at every change of their encoding', () => {
    const edges = [
      0n,
      1n,
      127n,
      128n,
      255n,
      256n,
      383n,
      384n,
      12_415n,
      12_416n,
      27_775n,
      27_776n,
      65_535n,
      65_536n,
    ];
    const powers = Array.from({ length: 400 }, (_, digits) => 10n ** BigInt(digits));
    const values = [...edges, ...powers.flatMap((power) => [power - 1n, power, power + 1n])];
    const ascending = [...new Set(values)].sort((a, b) => (a < b ? -1 : 1));
    for (let at = 1; at < ascending.length; at++) {
      const [lower, higher] = [`1.${ascending[at - 1]}a`, `1.${ascending[at]}a`];
      expect(compareKeys(keyOf(scheme, lower), keyOf(scheme, higher))).toBe(-1);
    }
  });

  it.each([
    ['letter and digit in turn', 'a1'],
    ['letter and separator in turn', 'a.'],
    ['letter and "~" in turn', 'a~'],
    ['digit and "~" in turn', '1~'],
    ['"~" only', '~'],
    ['digits only', '9'],
    ['numbers of two bytes', '128.'],
    ['numbers of four bytes', '99999.'],
    ['colons', '1:'],
    ['dashes', 'a-'],
  ])('keeps the longest version of %s within the key limit, and refuses a longer one', (_what, unit) => {
    const longest = `1:${unit.repeat(MAX_VERSION_CHARACTERS)}`
      .slice(0, MAX_VERSION_CHARACTERS - 1)
      .concat('1');
    expect(longest).toHaveLength(MAX_VERSION_CHARACTERS);
    expect(keyOf(scheme, longest).length).toBeLessThanOrEqual(MAX_KEY_BYTES);

    const refusal = { kind: 'unparseable', reason: 'too_long' };
    expect(versionKey(scheme, `${longest}1`)).toEqual(refusal);
    expect(versionKey(scheme, '9'.repeat(5_000_000))).toEqual(refusal);
  });

  it('returns a separate byte array for each key', () => {
    const first = keyOf(scheme, '1.0-1');
    const copy = Uint8Array.from(first);
    keyOf(scheme, '999999:zzz-zzz');
    expect(first).toEqual(copy);
    expect(first.buffer.byteLength).toBe(first.length);
  });
});
