import { lineOf, readLines } from '../../src/pages/add-hosts/manual/report-lines.ts';

const file = new Blob(['first\nsecond\n\nfourth']);

describe('the rejected lines of a report', () => {
  it.each([
    ['line 1', 1],
    ['line 999999999', 999_999_999],
    ['line 0x1', null],
    ['line -1', null],
    ['line 9999999999', null],
    ['/body/line 1', null],
    ['', null],
  ])('%j points at line %s', (pointer, line) => {
    expect(lineOf(pointer)).toBe(line);
  });

  it('are read by their numbers, which count from 1', async () => {
    expect([...(await readLines(file, new Set([1, 3, 4])))]).toEqual([
      [1, 'first'],
      [3, ''],
      [4, 'fourth'],
    ]);
  });

  it('are missing where the file ends before them', async () => {
    expect((await readLines(file, new Set([2, 5]))).has(5)).toBe(false);
    expect(await readLines(file, new Set())).toEqual(new Map());
    expect(await readLines(new Blob(['']), new Set([1]))).toEqual(new Map());
  });
});
