import { compareKeys, type VersionScheme } from '../src/index.ts';
import { keyOf } from './key-of.ts';

function expectAbove(scheme: VersionScheme, newer: string, older: string): void {
  expect(compareKeys(keyOf(scheme, newer), keyOf(scheme, older))).toBe(1);
}

function expectEqual(scheme: VersionScheme, a: string, b: string): void {
  expect(compareKeys(keyOf(scheme, a), keyOf(scheme, b))).toBe(0);
}

describe('version rules, by case number', () => {
  it.each([
    ['2.7.15-4ubuntu4~18.04', '2.7.15~rc1-1ubuntu0.1'],
    ['2.4.52-1ubuntu4', '2.4.52~rc2-9ubuntu9'],
    ['1.21.1-1~deb12u1', '1.21.1~beta1-1'],
    ['3.4.0-1ubuntu0.1', '3.4.0-1ubuntu0.1~esm1'],
    ['3.4.0-1ubuntu0.1~esm2', '3.4.0-1ubuntu0.1~esm1'],
    ['3.4.0-1+esm1', '3.4.0-1'],
  ])('1. dpkg: "~" lowers the part it stands in and no other: %s is above %s', (newer, older) => {
    expectAbove('dpkg', newer, older);
  });

  it.each([
    ['8.83.5.1_1-69.el7', '8.83.5.1_1-58.el7_4'],
    ['1.0.1e-60.el7_3.1', '1.0.1e-60.el7'],
    ['2.34-60.el9_2.7', '2.34-28.el9_0.4'],
    ['4.18.0-553.100.1.el8_10', '4.18.0-553.22.1.el8_10'],
    ['1.0-1.el10_0', '1.0-1.el9_8'],
  ])(
    '2. rpm: numbers of a release order as numbers, whatever follows them: %s is above %s',
    (newer, older) => {
      expectAbove('rpm', newer, older);
    },
  );

  it.each<[VersionScheme, string, string]>([
    ['rpm', '1:76', '0:77'],
    ['rpm', '1:1.0-1', '99.0-1'],
    ['rpm', '32:9.11.36-16.el8', '2:9.16.23-1.el9'],
    ['dpkg', '1:76', '0:77'],
    ['dpkg', '1:0.1-1', '20240101-1'],
  ])('3. an epoch decides before the version (%s): %s is above %s', expectAbove);

  it.each<[VersionScheme, string, string]>([
    ['rpm', '0:1.0-1', '1.0-1'],
    ['rpm', '(none):1.0-1', '1.0-1'],
    ['dpkg', '0:1.0-1', '1.0-1'],
  ])('3. no epoch is epoch 0 (%s): %s equals %s', expectEqual);

  it.each(['1.0-', '0:2.5_1-', 'svn29498-'])('4. an empty rpm release parses: %s', (text) => {
    expectAbove('rpm', `${text}1`, text);
  });
});
