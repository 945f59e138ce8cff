import type { Release } from '@plimsoll/model';
import { changeOf } from '../../src/index.ts';

const release = (name: string) => name as Release;

describe('an offered version compared with the installed one', () => {
  it.each([
    ['debian:12', '0.9.7-1', '0.9.7-1', 'same'],
    ['debian:12', '0:1.2-1', '1.2-1', 'same'],
    ['debian:12', '1.2-1', '1.2-1+b1', 'upgrade'],
    ['debian:12', '1:1.2-1', '1.3-1', 'downgrade'],
    ['debian:12', '1.2-1', '1.2~rc1-1', 'downgrade'],
    ['debian:12', '', '1.2-1', 'new'],
    ['debian:12', '1.2-1', '1.2 1', 'unknown'],
    ['debian:12', 'a b', 'a b', 'same'],
    ['rhel:9', '0:3.0.1-43.el9_0', '3.0.1-43.el9_0', 'same'],
    ['rhel:9', '1:3.0.1-43.el9_0', '1:3.0.7-2.el9', 'upgrade'],
    ['rhel:9', '1:3.0.1-43.el9_0', '3.0.7-2.el9', 'downgrade'],
    // A tilde is lower in both schemes; a caret is invalid in Debian versions.
    ['mint:21', '1.2-1', '1.3-1', 'upgrade'],
    ['mint:21', '1.2-1', '1.2~a-1', 'downgrade'],
    ['mint:21', '1.2-1', '1.2^a-1', 'unknown'],
    ['mint:21', '1.2-1', '1.2-1', 'same'],
  ])('on %s from %s to %s is %s', (name, from, to, change) => {
    expect(changeOf(from, to, release(name))).toBe(change);
  });
});
