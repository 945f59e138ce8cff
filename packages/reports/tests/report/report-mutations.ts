import fc from 'fast-check';

/** One change of a report. */
export type Mutation = (report: Buffer) => Buffer;

function atLines(change: (lines: string[], at: number, other: number) => void): fc.Arbitrary<Mutation> {
  return fc.tuple(fc.nat(), fc.nat()).map(([at, other]) => (report) => {
    const lines = report.toString('latin1').split('\n');
    change(lines, at % lines.length, other % lines.length);
    return Buffer.from(lines.join('\n'), 'latin1');
  });
}

function atBytes(change: (bytes: Buffer, at: number, value: number) => Buffer): fc.Arbitrary<Mutation> {
  return fc
    .tuple(
      fc.nat(),
      fc.oneof(fc.nat({ max: 255 }), fc.constantFrom(0, 9, 10, 13, 32, 33, 40, 64, 0xc3, 0xff)),
    )
    .map(
      ([at, value]) =>
        (report) =>
          report.length === 0 ? report : change(report, at % report.length, value),
    );
}

function swap(lines: string[], at: number, other: number): void {
  [lines[at], lines[other]] = [lines[other] ?? '', lines[at] ?? ''];
}

/** Recomputes the counts of sections and lines, so that only the change itself can be detected. */
const recount: Mutation = (report) => {
  const lines = report.toString('latin1').split('\n');
  const end = lines.findLastIndex((line) => line.startsWith('@end'));
  if (end < 0) return report;
  const sections = lines.slice(0, end).filter((line) => /^@(?!exit )/.test(line)).length;
  lines[end] = `@end ${sections} ${end}`;
  return Buffer.from(lines.join('\n'), 'latin1');
};

const single: fc.Arbitrary<Mutation> = fc.oneof(
  atBytes((bytes, at, value) =>
    Buffer.concat([bytes.subarray(0, at), Buffer.of(value), bytes.subarray(at + 1)]),
  ),
  atBytes((bytes, at, value) => Buffer.concat([bytes.subarray(0, at), Buffer.of(value), bytes.subarray(at)])),
  atBytes((bytes, at) => Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1)])),
  atBytes((bytes, at, value) => Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + value)])),
  atLines((lines, at) => lines.splice(at, 1)),
  atLines((lines, at, other) => lines.splice(at, other % 40)),
  atLines((lines, at) => lines.splice(at, 0, lines[at] ?? '')),
  atLines((lines, at, other) => lines.splice(at, 0, lines[other] ?? '')),
  atLines(swap),
  atLines((lines, at, other) => lines.push(...lines.splice(at, other % 200))),
  atLines((lines, at) => {
    lines[at] = `${lines[at]}\r`;
  }),
);

/** One to four changes; most of them also correct the report's counts. */
export const mutation: fc.Arbitrary<Mutation> = fc
  .tuple(fc.array(single, { minLength: 1, maxLength: 4 }), fc.nat({ max: 9 }))
  .map(([changes, luck]) => (report) => {
    const changed = changes.reduce((bytes, change) => change(bytes), report);
    return luck === 0 ? changed : recount(changed);
  });

/** The beginning of one report and the end of another. */
export const splice: fc.Arbitrary<(a: Buffer, b: Buffer) => Buffer> = fc.tuple(fc.nat(), fc.nat()).map(
  ([at, from]) =>
    (a, b) =>
      recount(Buffer.concat([a.subarray(0, at % a.length), b.subarray(from % b.length)])),
);
