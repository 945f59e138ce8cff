import { compareKeys, type VersionScheme } from '../src/index.ts';
import type { Order } from '../src/version.ts';
import { keyOf } from './key-of.ts';

const RULES: [rule: string, scheme: VersionScheme, a: string, order: Order, b: string][] = [
  ['an empty rpm release parses and equals itself', 'rpm', '1.0-', 0, '1.0-'],
  ['a missing rpm release is below an empty one', 'rpm', '1.0', -1, '1.0-'],
  ['a missing rpm release is below one that starts with "~"', 'rpm', '1.0', -1, '1.0-~1'],
  ['a missing dpkg revision is "0"', 'dpkg', '1.0', 0, '1.0-0'],
  ['a rebuild suffix is newer', 'dpkg', '5.2.15-2+b8', 1, '5.2.15-2'],
  ['a backport is older than what it is built from', 'dpkg', '1.2-3~bpo12+1', -1, '1.2-3'],
  ['"_" sorts after all other dpkg characters', 'dpkg', '0:1.0_1', 1, '0:1.0:1'],
  ['kernel builds compare as numbers', 'dpkg', '6.8.0-100', 1, '6.8.0-31'],
  ['the last dash starts the rpm release', 'rpm', '1-2-3', 1, '1-1-4'],
  ['"^" is newer than the end', 'rpm', '1.0^git1-1', 1, '1.0-1'],
  ['"^" is older than a further number', 'rpm', '1.0^git1-1', -1, '1.0.1-1'],
  ['"^" is older than further letters', 'rpm', '1.0^1', -1, '1.0a'],
  ['"~" is older than the end', 'rpm', '1.0~rc1-1', -1, '1.0-1'],
  ['letters are older than digits in rpm', 'rpm', '1.a', -1, '1.0'],
  ['letters compare by case in rpm', 'rpm', '1.A', -1, '1.a'],
  ['rpm separators count for nothing', 'rpm', '1.0_2-3', 0, '1.0...2+-3'],
  ['numbers beyond 2^53 keep every digit in dpkg', 'dpkg', '9007199254740993', 1, '9007199254740992'],
  ['numbers beyond 2^53 keep every digit in rpm', 'rpm', '9007199254740993-1', 1, '9007199254740992-1'],
  ['epochs beyond 2^53 keep every digit', 'rpm', '9007199254740993:1-1', 1, '9007199254740992:1-1'],
];

it.each(RULES)('%s', (_rule, scheme, a, order, b) => {
  expect(compareKeys(keyOf(scheme, a), keyOf(scheme, b))).toBe(order);
  expect(compareKeys(keyOf(scheme, b), keyOf(scheme, a))).toBe(0 - order);
});

it('orders a key before the longer keys that begin with it', () => {
  expect(compareKeys(Uint8Array.of(1, 2), Uint8Array.of(1, 2, 0))).toBe(-1);
  expect(compareKeys(Uint8Array.of(1, 2, 0), Buffer.from([1, 2]))).toBe(1);
  expect(compareKeys(new Uint8Array(), new Uint8Array())).toBe(0);
  expect(compareKeys(Uint8Array.of(0x80), Uint8Array.of(0x7f))).toBe(1);
});
