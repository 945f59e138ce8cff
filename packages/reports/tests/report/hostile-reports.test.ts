import fc from 'fast-check';
import { decodeSnapshot, encodeSnapshot, parseReport, readReportObservation } from '../../src/index.ts';
import { describePackage, naivePackages } from './naive-packages.ts';
import { recorded } from './recorded.ts';
import { alma, buildReport, debian } from './report-builder.ts';
import { mutation, splice } from './report-mutations.ts';

/** The number of mutated reports; `npm run fuzz -w @plimsoll/reports` sets it to 100,000. */
const runs = Number(process.env['PLIMSOLL_FUZZ_RUNS'] ?? 300);
const perRunMs = 20;
const context = { receivedAt: new Date('2026-11-21T00:00:00Z') };

const reports = [
  recorded('reports/debian-12.txt'),
  recorded('reports/almalinux-8.txt'),
  buildReport('apt', debian),
  buildReport('rpm', alma),
].map((report) => Buffer.from(report));
const anyReport = fc.constantFrom(...reports);

/** Checks the result of parsing a report against its lines. Returns whether it was accepted. */
function judge(report: Buffer): boolean {
  const parsed = parseReport(report, context);
  if (parsed.kind === 'report_invalid') {
    expect(parsed.errors.length).toBeGreaterThan(0);
    for (const { pointer } of parsed.errors) expect(pointer).toMatch(/^line [1-9]\d*$/);
    return false;
  }
  const { snapshot } = parsed;
  const said = snapshot.packages.map((entry) =>
    describePackage(entry.name, entry.architecture, entry.version, entry.sourceName, entry.sourceVersion),
  );
  const lines = new Set(naivePackages(report.toString('utf8')));
  const isIncomplete = snapshot.failures.some(({ section }) => section === 'packages');
  if (isIncomplete) expect(said.filter((entry) => !lines.has(entry))).toEqual([]);
  else expect(said.toSorted()).toEqual([...lines].toSorted());
  expect(decodeSnapshot(encodeSnapshot(snapshot), context)).toEqual({
    kind: 'snapshot',
    snapshot,
    warnings: [],
  });
  expect(readReportObservation(report, context)).toMatchObject({
    kind: 'observed',
    observation: snapshot.observed,
    header: { collectedAt: snapshot.collectedAt },
  });
  return true;
}

describe('mutated reports', () => {
  it(
    'are refused, or accepted with exactly the content of their lines',
    () => {
      let accepted = 0;
      fc.assert(
        fc.property(anyReport, mutation, (report, mutate) => {
          if (judge(mutate(report))) accepted++;
        }),
        { numRuns: runs },
      );
      // If nearly all were refused, nothing would be tested.
      expect(accepted).toBeGreaterThan(runs / 10);
    },
    5_000 + runs * perRunMs,
  );

  it(
    'joined from two are refused, or accepted with exactly the content of their lines',
    () => {
      fc.assert(
        fc.property(anyReport, anyReport, splice, (a, b, join) => {
          judge(join(a, b));
        }),
        { numRuns: Math.ceil(runs / 5) },
      );
    },
    5_000 + runs * perRunMs,
  );

  it('of arbitrary bytes are refused with a line number', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
        judge(Buffer.from(bytes));
        judge(Buffer.concat([Buffer.from('plimsoll-report 1 apt 1\n@observed\n'), bytes]));
      }),
      { numRuns: runs },
    );
  });
});

describe('reports made to be slow to parse', () => {
  const many = 150_000;

  it.each<[string, string]>([
    ['colons and spaces', `A${' '.repeat(1_000_000)}`],
    ['dots and dashes', 'a.-'.repeat(300_000)],
    ['brackets', `Inst a [1] (1 ${' ['.repeat(500_000)}`],
    ['quotes', `ID="${'\\"'.repeat(500_000)}`],
    ['tabs', '\t'.repeat(1_000_000)],
    ['digits', `${'9'.repeat(1_000_000)}:`],
  ])('with lines of %s are read in one pass', (_what, line) => {
    for (const [family, sections] of [
      ['apt', debian],
      ['rpm', alma],
    ] as const) {
      const hostile = Object.fromEntries(
        Object.keys(sections).map((name) => [name, `${sections[name] as string}\n${line}`]), // These are all text.
      );
      const kinds = ['snapshot', 'report_invalid'];
      expect(kinds).toContain(parseReport(buildReport(family, hostile), context).kind);
    }
  });

  it('with many repetitions of one package and its versions are refused or read in one pass', () => {
    const dpkg = 'ii \tbash\tamd64\t1\tbash\t1\n'.repeat(many);
    const versions =
      ' *** 1 500\n        500 http://deb.debian.org/debian bookworm/main amd64 Packages\n'.repeat(many / 2);
    const policy = `bash:\n  Installed: 1\n  Candidate: 2\n  Version table:\n${versions}`;
    const parsed = parseReport(buildReport('apt', { ...debian, dpkg, 'apt-policy': policy }), context);
    expect(parsed).toMatchObject({
      errors: [{ detail: expect.stringMatching(/packages has 150000 entries/) }],
    });
  });

  it('with many advisories for one package that is offered many times are refused', () => {
    const updates = { text: `tool\tdnf\n${'bash.x86_64 1-2 baseos\n'.repeat(19_000)}`, exit: 100 };
    const advisories = `tool\tdnf\n${Array.from({ length: many }, (_, index) => `A-${index} Low/Sec. bash-1-2.x86_64`).join('\n')}`;
    const parsed = parseReport(buildReport('rpm', { ...alma, updates, advisories }), context);
    expect(parsed).toMatchObject({
      errors: [{ detail: expect.stringMatching(/advisory_ids has \d+ entries/) }],
    });
  });

  it('lose the repositories if one source has many addresses with many suites each', () => {
    const words = Array.from({ length: 50_000 }, (_, index) => `http://a/${index}`).join(' ');
    const sources = `Types: deb\nURIs: ${words}\nSuites: ${words}`;
    const parsed = parseReport(buildReport('apt', { ...debian, 'apt-sources': sources }), context);
    expect(parsed).toMatchObject({ snapshot: { repositories: [], failures: [{ section: 'repositories' }] } });
  });

  it('with too many sources and lists are refused', () => {
    const sources = Array.from({ length: many }, (_, index) => `deb http://a/${index} s main`).join('\n');
    const files = Array.from(
      { length: many },
      (_, index) => ` 500 http://b/${index} s/main amd64 Packages`,
    ).join('\n');
    const report = buildReport('apt', {
      ...debian,
      observed: 'refreshed\tx\t1000',
      'apt-sources': sources,
      'apt-files': `Package files:\n${files}`,
    });
    expect(parseReport(report, context)).toMatchObject({
      errors: [{ detail: expect.stringMatching(/repositories has 150000 entries/) }],
    });
  });
});
