import fc from 'fast-check';
import { lengthOf, textPieces } from '../src/http/exchange.ts';
import { JsonText } from '../src/http/json-text.ts';

/** Any characters, also quotes, control characters and line separators. */
const unit = 'binary';
const fields = fc.dictionary(fc.string({ unit }), fc.jsonValue({ stringUnit: unit }), {
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

it.each([
  'quotes " and \\" and \\',
  'control characters \0 \b \t \n \r \u001b \u007f \u0085',
  'line separators \u2028 \u2029',
  'half of a pair \ud800 and \udc00, and a pair \ud83d\ude00',
  '\ufeff</script>]},{"id":[',
  '__proto__',
])('writes %j as JSON.stringify does, as a name and as a value', (text) => {
  const before = { [text]: [text, null], when: new Date(0), left: undefined };
  const items = [{ text }, { [text]: text }, {}];
  const json = JsonText.with(before, `${text}, too`, JsonText.list(items.map((item) => JsonText.of(item))));
  const whole = JSON.stringify({ ...before, [`${text}, too`]: items });
  expect(bytesOf(json).toString()).toBe(whole);
  expect(JSON.parse(whole)).toEqual({
    [text]: [text, null],
    when: '1970-01-01T00:00:00.000Z',
    [`${text}, too`]: items,
  });
});

it('adds a field to an object of which no field is written, and writes a list of nothing', () => {
  const json = JsonText.with({ left: undefined }, 'rows', JsonText.list([]));
  expect(bytesOf(json).toString()).toBe('{"rows":[]}');
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
