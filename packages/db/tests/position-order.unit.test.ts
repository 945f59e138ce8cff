import { PositionOrder } from '../src/hosts/position-order.ts';

const present = new Set<number>();
const keys: number[] = [];
const hosts = { size: 10_000, isPresent: (position: number) => present.has(position) };
const compare = (a: number, b: number) => (keys[a] ?? 0) - (keys[b] ?? 0) || a - b;

/** Numbers below `below` that look random and are the same at each run. */
function createDraw() {
  let state = 7;
  return (below: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (state >>> 8) % below;
  };
}

test.each([1, 40, 4_096, 4_097])(
  '%i changed, added and removed hosts are in the order of a sort',
  (changes) => {
    const draw = createDraw();
    present.clear();
    for (let position = 0; position < hosts.size; position += 1) {
      keys[position] = draw(500);
      if (draw(4) > 0) present.add(position);
    }
    const order = new PositionOrder(hosts, compare);
    order.positions();
    for (let n = 0; n < changes; n += 1) {
      const position = changes < 4_096 ? draw(hosts.size) : n;
      keys[position] = draw(500);
      if (present.has(position) && draw(3) === 0) present.delete(position);
      else present.add(position);
      order.note(position);
    }
    expect([...order.positions()]).toEqual([...present].sort(compare));
  },
);
