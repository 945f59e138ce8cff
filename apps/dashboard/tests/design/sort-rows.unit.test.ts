import { compareCells, sortRows } from '../../src/design/table/sort-rows.ts';

const rows = [
  { name: 'linux-10', count: 2 },
  { name: 'linux-9', count: 10 },
  { name: 'Bash', count: 2 },
];
const columns = [
  { id: 'name', header: 'Name', cell: () => null, sortBy: ({ name }: (typeof rows)[number]) => name },
  { id: 'count', header: 'Count', cell: () => null, sortBy: ({ count }: (typeof rows)[number]) => count },
  { id: 'note', header: 'Note', cell: () => null },
];
const names = (id: string, desc = false) => sortRows(rows, columns, [{ id, desc }]).map(({ name }) => name);

describe('the rows of a long table', () => {
  it('are sorted as people read: case does not count, numbers within text do', () => {
    expect(names('name')).toEqual(['Bash', 'linux-9', 'linux-10']);
    expect(names('name', true)).toEqual(['linux-10', 'linux-9', 'Bash']);
  });

  it('are sorted by value in a column of numbers; equal ones keep their order in both directions', () => {
    expect(names('count')).toEqual(['linux-10', 'Bash', 'linux-9']);
    expect(names('count', true)).toEqual(['linux-9', 'linux-10', 'Bash']);
  });

  it('keep their order where no column sorts them', () => {
    expect(sortRows(rows, columns, [])).toBe(rows);
    expect(names('note')).toEqual(rows.map(({ name }) => name));
    expect(names('gone')).toEqual(rows.map(({ name }) => name));
  });

  it('compare a number with text as text', () => {
    expect(Math.sign(compareCells(2, 10))).toBe(-1);
    expect(Math.sign(compareCells('2', '10'))).toBe(-1);
    expect(Math.sign(compareCells(10, ''))).toBe(1);
  });
});
