import { severities } from '@plimsoll/model';
import { endCauses, openCode, PatchColumns, rowCauses } from '../src/patching/patch-columns.ts';
import { type CountedExposures, encodeCounts, spanSince } from '../src/patching/patch-counts.ts';
import { PatchTimes } from '../src/patching/patch-times.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const now = Date.UTC(2026, 10, 23, 13, 7, 5, 3);
const period = { from: new Date(now - 60 * dayMs + 77), to: new Date(now - 5 * dayMs) };

/** Repeatable numbers from 0 to below `n`. */
function createRandom(seed: number): (n: number) => number {
  let state = seed;
  return (n) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % n;
  };
}

const random = createRandom(7);
const some = <T>(values: readonly T[]): T => values[random(values.length)] as T;

interface Row {
  readonly at: number;
  readonly code: number;
  readonly counts: readonly CountedExposures[];
}

function drawEntry(at: number, isOpen: boolean): CountedExposures {
  const from = at - random(90 * 24) * hourMs - random(hourMs);
  const stage = () => (isOpen || random(3) === 0 ? null : some([0, 1, random(500), 70_000]));
  return {
    severity: some(severities),
    hasFix: random(2) === 0,
    count: some([1, 2, random(4_000) + 1]),
    from,
    timedFrom: from - some([0, 0, random(30 * 24) * hourMs + random(hourMs)]),
    hours: isOpen ? 0 : Math.ceil((at - from) / hourMs),
    stages: {
      known: stage(),
      offered: some([null, 3]),
      installed: some([null, 400]),
      running: some([null, 0]),
    },
  };
}

function drawRows(): readonly Row[] {
  const spans = (at: number) =>
    entries(at, true).map((one) => ({
      ...one,
      timedFrom: one.from,
      stages: spanSince(one.from + random(9 * 24) * hourMs + 17),
    }));
  const entries = (at: number, isOpen: boolean) =>
    Array.from({ length: random(6) }, () => drawEntry(at, isOpen));
  const ended = Array.from({ length: random(5) }, () => now - random(80 * 24) * hourMs - random(hourMs));
  return [
    { at: 0, code: openCode, counts: entries(now, true) },
    ...ended.map((at) => ({ at, code: random(endCauses.length), counts: entries(at, false) })),
    ...(['waived', 'restated'] as const).flatMap((cause) =>
      ended.map((at) => ({ at: at + 10 * dayMs, code: rowCauses.indexOf(cause), counts: spans(at) })),
    ),
  ];
}

/** As PatchMemory selects them. */
function encodeRows(rows: readonly Row[]): Buffer {
  return Buffer.concat(
    rows.flatMap(({ at, code, counts }) => {
      const head = Buffer.alloc(13);
      const bytes = encodeCounts(counts);
      head.writeBigUInt64BE(BigInt(at));
      head[8] = code;
      head.writeUInt32BE(bytes.length, 9);
      return [head, bytes];
    }),
  );
}

/** The sums without columns. */
function naive(hosts: readonly (readonly Row[])[], isSilent: (host: number) => boolean): PatchTimes {
  const times = new PatchTimes(period, null);
  for (const [host, rows] of hosts.entries())
    for (const { at, code, counts } of rows) {
      if (endCauses.length === code) {
        if (at > period.to.getTime()) times.addWaived(encodeCounts(counts), isSilent(host));
      } else if (endCauses.length + 1 === code) {
        if (at > period.to.getTime()) times.addRestated(encodeCounts(counts), isSilent(host));
      } else if (code === openCode || at >= period.to.getTime())
        times.addOpen(encodeCounts(counts), isSilent(host));
      else if (at >= period.from.getTime())
        times.addEnded(encodeCounts(counts), endCauses[code] ?? 'patched', at);
    }
  return times;
}

function sumOf(columns: PatchColumns, hosts: number, isSilent: (host: number) => boolean): PatchTimes {
  const times = new PatchTimes(period, null);
  const [from, to] = [period.from.getTime(), period.to.getTime()];
  for (let host = 0; host < hosts; host += 1)
    columns.addTo(times, `host ${host}`, { from, to, isSilent: isSilent(host) });
  return times;
}

const isSilent = (host: number) => host % 5 === 0;
const known = new Date(0);

it('have the sums of the rows, also after hosts were stored again and memory was given back', () => {
  const columns = new PatchColumns();
  const hosts: (readonly Row[])[] = [];
  for (let round = 0; round < 4; round += 1)
    for (let host = 0; host < 200; host += 1) {
      hosts[host] = drawRows();
      columns.set(`host ${host}`, encodeRows(hosts[host] ?? []));
    }
  const [own, wanted] = [sumOf(columns, 200, isSilent), naive(hosts, isSilent)];
  expect(wanted.total(known).closed).toBeGreaterThan(1_000);
  expect(wanted.total(known).openWaived).toBeGreaterThan(1_000);
  expect(own.total(known)).toEqual(wanted.total(known));
  expect(own.bySeverity(known)).toEqual(wanted.bySeverity(known));
});

it.each([
  ['many', { count: 5_000 }],
  ['very old ones', { hours: 70_000 }],
  ['a late restart', { stages: { known: 200_000, offered: 1, installed: 1, running: 65_535 } }],
])('keep what does not fit into words: %s', (_what, different) => {
  const at = now - 10 * dayMs;
  const rows = [{ at, code: 0, counts: [drawEntry(at, false), { ...drawEntry(at, false), ...different }] }];
  const columns = new PatchColumns();
  columns.set('host 0', encodeRows(rows));
  expect(sumOf(columns, 1, () => false).total(known)).toEqual(naive([rows], () => false).total(known));
  columns.set('host 0', encodeRows([]));
  expect(sumOf(columns, 1, () => false).total(known).closed).toBe(0);
});

it('store hosts again and again in bounded memory', () => {
  const columns = new PatchColumns();
  const large: Row = {
    at: 0,
    code: openCode,
    counts: Array.from({ length: 2_000 }, () => drawEntry(now, true)),
  };
  const rows = [[large], drawRows()];
  columns.set('host 1', encodeRows(rows[1] ?? []));
  for (let n = 0; n < 300; n += 1) columns.set('host 0', encodeRows([large]));
  expect(columns.bytes).toBeLessThan(4 * 2 ** 20);
  expect(sumOf(columns, 2, isSilent).total(known)).toEqual(naive(rows, isSilent).total(known));
});
