import { groupBy } from '../src/index.ts';

describe('groupBy', () => {
  it('keeps the order of keys and of items', () => {
    const groups = groupBy(['web-2', 'db-1', 'web-1'], (name) => name.split('-')[0]);
    expect([...groups]).toEqual([
      ['web', ['web-2', 'web-1']],
      ['db', ['db-1']],
    ]);
  });

  it('of nothing is empty', () => {
    expect(groupBy([], String).size).toBe(0);
  });
});
