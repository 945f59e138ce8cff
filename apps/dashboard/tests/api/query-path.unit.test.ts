import { isBelow } from '../../src/api/query-path.ts';

describe('a query', () => {
  it.each([
    ['/hosts/{id}/plan', ['/hosts'], true],
    ['/hosts', ['/fleet', '/hosts'], true],
    ['/hosts', ['/hosts/{id}'], false],
    ['/feeds', [], false],
    [undefined, ['/hosts'], false],
  ])('of %s is below %j: %s', (path, paths, expected) => {
    expect(isBelow(path, paths)).toBe(expected);
  });
});
