import { printable } from '../../src/design/text/printable.ts';

describe('text of a host or feed', () => {
  it.each([
    ['bash 5.2', 'bash 5.2'],
    ['a\u0000b\nc\td', 'a␣b␣c␣d'],
    ['web\u202Efdp.exe', 'web␣fdp.exe'],
    ['zero\u200Bwidth\u2028line\uFEFF', 'zero␣width␣line␣'],
    ['Größe 日本語 🐧', 'Größe 日本語 🐧'],
  ])('%j is shown as %j', (text, shown) => {
    expect(printable(text)).toBe(shown);
  });

  it('says how many characters are left out', () => {
    expect(printable('x'.repeat(200))).toBe('x'.repeat(200));
    expect(printable(`${'x'.repeat(200)}abc`)).toBe(`${'x'.repeat(200)}… (3 more)`);
    expect(printable('a'.repeat(1_000_000), 3)).toBe('aaa… (999997 more)');
  });
});
