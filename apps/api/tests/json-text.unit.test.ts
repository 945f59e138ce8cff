import fc from 'fast-check';
import { lengthOf, textPieces } from '../src/http/exchange.ts';
import { JsonText } from '../src/http/json-text.ts';

const fields = fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue(), {
  minKeys: 1,
  noNullPrototype: true,
});

function bytesOf(json: JsonText<unknown>): Buffer {
  return Buffer.concat([...textPieces(json)]);
}

it('is what JSON.stringify writes of the whole', () => {
  fc.assert(
    fc.property(fc.array(fields), fields, (items, before) => {
      const list = JsonText.list(items.map((item) => JsonText.of(item)));
      const whole = `${JSON.stringify(before).slice(0, -1)},"a \\"field":${JSON.stringify(items)}}`;
      const json = JsonText.with(before, 'a "field', list);
      expect(bytesOf(json).toString()).toBe(whole);
      expect(lengthOf(json.texts)).toBe(Buffer.byteLength(whole));
    }),
  );
});

it('shares a value in several places, and is cut into pieces of whole texts', () => {
  const shared = JsonText.of({ long: 'ä'.repeat(100_000) });
  const rows = [1, 2, 3].map((n) => JsonText.with({ n }, 'shared', shared));
  const json = JsonText.list(rows);
  expect([...textPieces(json)].length).toBeGreaterThan(1);
  expect(JSON.parse(bytesOf(json).toString())).toEqual(
    [1, 2, 3].map((n) => ({ n, shared: { long: 'ä'.repeat(100_000) } })),
  );
});
