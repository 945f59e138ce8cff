import { locateDpkgParts } from '../src/dpkg-version.ts';
import { type VersionScheme, versionKey } from '../src/index.ts';
import { locateRpmParts } from '../src/rpm-version.ts';
import type { UnparseableReason } from '../src/version.ts';

/** The texts of the epoch, the version and the release that are found in a text. */
function partsIn(locate: typeof locateDpkgParts, text: string) {
  const parts = locate(text);
  if (parts.kind === 'unparseable') return parts.reason;
  const { epochStart, epochEnd, versionStart, versionEnd, releaseStart, releaseEnd } = parts;
  const release = releaseStart < 0 ? null : text.slice(releaseStart, releaseEnd);
  return [text.slice(epochStart, epochEnd), text.slice(versionStart, versionEnd), release];
}

it.each([
  ['1.0', '', '1.0', null],
  ['1:2.30-1ubuntu2~18.04', '1', '2.30', '1ubuntu2~18.04'],
  ['007:1-0', '007', '1', '0'],
  ['(none):1.2-3', '', '1.2', '3'],
  ['0.9j-20080306-4', '', '0.9j-20080306', '4'],
  ['9:1.18.36:5.4-20', '9', '1.18.36:5.4', '20'],
  ['1:1-2:3', '1', '1', '2:3'],
  ['a', '', 'a', null],
  ['1_2-3', '', '1_2', '3'],
  [' \t1:1-1 ', '1', '1', '1'],
  ['99999999999999999999:1', '99999999999999999999', '1', null],
])('finds the parts of the dpkg version %j', (text, ...parts) => {
  expect(partsIn(locateDpkgParts, text)).toEqual(parts);
});

it.each([
  ['1.0-1.el9', '', '1.0', '1.el9'],
  ['32:9.9.4-73.el7_6', '32', '9.9.4', '73.el7_6'],
  ['(none):4.2.46-31.el7', '', '4.2.46', '31.el7'],
  [':1.0-1', '', '1.0', '1'],
  ['000:1.0-1', '000', '1.0', '1'],
  ['1.0', '', '1.0', null],
  ['1.0-', '', '1.0', ''],
  ['1.0-(none)', '', '1.0', null],
  ['1-2-3-4', '', '1-2-3', '4'],
  ['a:1-1', '', 'a:1', '1'],
  ['1:2:3-4', '1', '2:3', '4'],
  ['1.0^20160101~rc1-1', '', '1.0^20160101~rc1', '1'],
  ['1.1.α', '', '1.1.α', null],
  ['_', '', '_', null],
])('finds the parts of the rpm version %j', (text, ...parts) => {
  expect(partsIn(locateRpmParts, text)).toEqual(parts);
});

const REFUSED: [VersionScheme, string, UnparseableReason][] = [
  ['dpkg', '', 'empty'],
  ['dpkg', ' \t ', 'empty'],
  ['dpkg', '1.0 2', 'invalid_character'],
  ['dpkg', '1.0\n', 'invalid_character'],
  ['dpkg', '1.0\u0000', 'invalid_character'],
  ['dpkg', '1.0\u007f', 'invalid_character'],
  ['dpkg', '1.0α', 'invalid_character'],
  ['dpkg', '\u00a01.0', 'invalid_character'],
  ['dpkg', '1.0^1', 'invalid_character'],
  ['dpkg', '(none)', 'invalid_character'],
  ['dpkg', '<unknown>', 'invalid_character'],
  ['dpkg', ':1.0', 'invalid_epoch'],
  ['dpkg', 'a:1.0', 'invalid_epoch'],
  ['dpkg', '-1:1.0', 'invalid_epoch'],
  ['dpkg', '+1:1.0', 'invalid_epoch'],
  ['dpkg', '1.2:3', 'invalid_epoch'],
  ['dpkg', '1:', 'empty_version'],
  ['dpkg', '(none):', 'empty_version'],
  ['dpkg', '-1', 'empty_version'],
  ['dpkg', '1:-1', 'empty_version'],
  ['dpkg', '-', 'empty_version'],
  ['dpkg', '1.0-', 'empty_revision'],
  ['rpm', '', 'empty'],
  ['rpm', ' 1.0-1', 'invalid_character'],
  ['rpm', '1.0-1\n', 'invalid_character'],
  ['rpm', '1.0\u0000-1', 'invalid_character'],
  ['rpm', '1.0\u0085-1', 'invalid_character'],
  ['rpm', '1.0\u00a0-1', 'invalid_character'],
  ['rpm', '1:', 'empty_version'],
  ['rpm', '-1', 'empty_version'],
  ['rpm', '1:-1', 'empty_version'],
  ['rpm', '-', 'empty_version'],
  ['rpm', '(none)', 'empty_version'],
  ['rpm', '(none):(none)-(none)', 'empty_version'],
];

it.each(REFUSED)('refuses the %s text %j as %s', (scheme, text, reason) => {
  expect(versionKey(scheme, text)).toEqual({ kind: 'unparseable', reason });
});
