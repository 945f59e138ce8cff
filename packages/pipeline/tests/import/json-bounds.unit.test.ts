import { boundsOf } from '../../src/import/records/json-bounds.ts';

const bounds = (text: string) => boundsOf(Buffer.from(text));

it('counts brackets, commas and colons outside of strings', () => {
  expect(bounds('{"a":[1,{"b":"]},:\\"[["}],"ü":{}}')).toEqual({ depth: 3, marks: 13 });
});

it.each([
  ['', 0],
  ['"[[[', 0],
  ['"\\', 0],
  [']]][[', 0],
  ['[[[]', 3],
])('measures the invalid text %j', (text, depth) => {
  expect(bounds(text).depth).toBe(depth);
});
