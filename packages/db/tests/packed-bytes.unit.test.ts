import fc from 'fast-check';
import { PackedBytes } from '../src/judging/findings/packed-bytes.ts';

const contentOf = (packed: PackedBytes) => [...packed.values()].map((bytes) => [...bytes]);

it('has what was added, and after keepOnly only what was named', () => {
  // Some fill a slab with few others, or do not fit into one.
  const sizes = fc.oneof(
    { weight: 5, arbitrary: fc.integer({ min: 0, max: 300 }) },
    fc.integer({ min: 300_000, max: 2_200_000 }),
    fc.constantFrom(2 ** 20 - 5, 2 ** 20 - 4, 2 ** 20 - 3),
  );
  const step = fc.record({ size: sizes, isKept: fc.boolean(), drops: fc.integer({ min: 0, max: 9 }) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const packed = new PackedBytes();
      const expected = new Map<number, Uint8Array>();
      const kept = new Set<number>();
      for (const [id, { size, isKept, drops }] of steps.entries()) {
        const bytes = new Uint8Array(size).fill(id % 251);
        packed.add(id, bytes);
        expected.set(id, bytes.slice());
        bytes.fill(255);
        if (isKept) kept.add(id);
        if (drops > 0) continue;
        packed.keepOnly(kept);
        for (const each of expected.keys()) if (!kept.has(each)) expected.delete(each);
      }
      expect(packed.size).toBe(expected.size);
      for (const id of steps.keys()) {
        expect(packed.has(id)).toBe(expected.has(id));
        expect(Buffer.compare(packed.get(id) ?? Buffer.from('-'), expected.get(id) ?? Buffer.from('-'))).toBe(
          0,
        );
      }
    }),
    { seed: 20_261_128, numRuns: 60 },
  );
});

it('gives all that it has, in order', () => {
  const packed = new PackedBytes();
  packed.add(7, Uint8Array.of(1, 2));
  packed.add(3, new Uint8Array());
  packed.add(9, Uint8Array.of(5));
  packed.keepOnly(new Set([3, 9, 11]));
  packed.add(7, Uint8Array.of(8));
  expect(contentOf(packed)).toEqual([[], [5], [8]]);
  expect([packed.get(3), packed.get(11)]).toEqual([new Uint8Array(), undefined]);
});
