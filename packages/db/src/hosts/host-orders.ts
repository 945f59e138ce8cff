import type { HostColumns } from './host-columns.ts';
import type { HostSortColumn } from './overview.ts';
import { PositionOrder } from './position-order.ts';
import { never } from './query.ts';

/** The value of a host by which an order sorts. */
export function valuesOf(
  columns: HostColumns,
  column: HostSortColumn,
): (position: number) => string | number {
  switch (column) {
    case 'displayName':
      return (position) => columns.displayNames[position] ?? '';
    case 'hostname':
      return (position) => columns.hostnames[position] ?? '';
    case 'osName':
      return (position) => columns.texts.osName[position] ?? '';
    case 'createdAt':
    case 'lastSeenAt':
      return (position) => columns.timeOf(column, position) ?? 0;
    case 'dueAt':
    case 'reportedAt':
      return (position) => columns.timeOf(column, position) ?? never.getTime();
    case 'overallAction':
    case 'status':
      // The order of urgency is that of the lists of words.
      return (position) => columns.codes[column][position] ?? 0;
    default:
      return (position) => columns.numbers[column][position] ?? 0;
  }
}

/** All hosts in ascending order of a column; ties are ordered by id. */
export function orderOf(columns: HostColumns, column: HostSortColumn): Int32Array {
  return columns.orderBy(column, () => orderBy(columns, column)).positions();
}

function orderBy(columns: HostColumns, column: HostSortColumn): PositionOrder {
  const valueAt = valuesOf(columns, column);
  const compare = (a: number, b: number): number => {
    const [x, y] = [valueAt(a), valueAt(b)];
    if (x !== y) return x < y ? -1 : 1;
    return compareIds(columns, a, b);
  };
  if (column === 'displayName' || column === 'hostname') return new PositionOrder(columns, compare);
  return new PositionOrder(columns, compare, () => sortedBy(byId(columns), keysOf(columns, column)));
}

function byId(columns: HostColumns): Int32Array {
  return columns
    .orderBy('id', () => new PositionOrder(columns, (a, b) => compareIds(columns, a, b)))
    .positions();
}

function compareIds({ ids }: HostColumns, a: number, b: number): number {
  const [x, y] = [ids[a] ?? '', ids[b] ?? ''];
  return x < y ? -1 : x > y ? 1 : 0;
}

/** The values of an order as numbers. */
function keysOf(columns: HostColumns, column: HostSortColumn): (position: number) => number {
  if (column !== 'osName') return valuesOf(columns, column) as (position: number) => number; // No other text is left.
  const names = [...new Set(columns.texts.osName)].sort();
  const places = new Map(names.map((name, place) => [name, place]));
  return (position) => places.get(columns.texts.osName[position] ?? '') ?? 0;
}

/** Bits of a sort key for the place by id, which also limits the number of hosts. */
const placeBits = 23;

/**
 * Sorts by a number, then by place in `byId`: as 64-bit keys, which the engine sorts without calling a function. Keys
 * have 41 bits: numbers from -2^31, or milliseconds until 2039.
 */
function sortedBy(ordered: Int32Array, keyOf: (position: number) => number): Int32Array {
  const keys = new BigUint64Array(ordered.length);
  const halves = new Uint32Array(keys.buffer);
  const [low, high] = isLittleEndian ? [0, 1] : [1, 0];
  for (let place = 0; place < ordered.length; place += 1) {
    const key = keyOf(ordered[place] ?? 0) + 2 ** 31;
    halves[2 * place + high] = Math.floor(key / 2 ** 9);
    halves[2 * place + low] = ((key % 2 ** 9) << placeBits) | place;
  }
  keys.sort();
  const sorted = new Int32Array(ordered.length);
  for (let n = 0; n < sorted.length; n += 1) {
    sorted[n] = ordered[(halves[2 * n + low] ?? 0) & (2 ** placeBits - 1)] ?? 0;
  }
  return sorted;
}

const isLittleEndian = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1;
