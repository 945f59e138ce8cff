import type { UploadId } from '@plimsoll/model';
import { decodeCountedInput, digestOf, encodeCountedInput } from '../src/judging/counting/counted-input.ts';

const id = '0199a1b2-0000-7000-8000-00000000000a' as UploadId;
const other = '0199a1b2-0000-7000-8000-00000000000b' as UploadId;
const parts = { facts: digestOf('facts'), upgrades: digestOf('1,2'), hasHistory: true };

it.each([true, false])('reads what it stored, with a history or without one: %s', (hasHistory) => {
  const input = encodeCountedInput(id, { ...parts, hasHistory });
  expect(decodeCountedInput(input, id)).toEqual({ ...parts, hasHistory, input });
});

it('does not use the input of another snapshot', () => {
  expect(decodeCountedInput(encodeCountedInput(id, parts), other)).toBeNull();
});

it('does not use an input that was stored for another selection of facts, or that is too short', () => {
  const input = encodeCountedInput(id, parts);
  const older = Buffer.from(input);
  older[0] = (older[0] ?? 0) ^ 1;
  expect(decodeCountedInput(older, id)).toBeNull();
  expect(decodeCountedInput(input.subarray(1), id)).toBeNull();
});
