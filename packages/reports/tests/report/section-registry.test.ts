import fc from 'fast-check';
import { parseReport } from '../../src/index.ts';
import { sectionRules } from '../../src/report/section-registry.ts';
import { alma, buildReport, debian, receivedAt, snapshotOf } from './report-builder.ts';

const names = Object.keys(sectionRules) as (keyof typeof sectionRules)[]; // Object.keys forgets the names.

function reportWith(name: keyof typeof sectionRules, section: Parameters<typeof buildReport>[1][string]) {
  const { family, fact } = sectionRules[name];
  // Of two sections for one fact that hosts may lack, one suffices: the other must not replace its answer.
  const others = names.filter(
    (other) => sectionRules[other].fact === fact && sectionRules[other].absence === 'none',
  );
  const report = buildReport(family === 'rpm' ? 'rpm' : 'apt', {
    ...(family === 'rpm' ? alma : debian),
    ...Object.fromEntries(others.map((other) => [other, null])),
    [name]: section,
  });
  return parseReport(report, { receivedAt });
}

describe.each(names)('the section %s', (name) => {
  const { absence, fact, answers } = sectionRules[name];

  it('makes its facts unknown, with its error text, if it failed', () => {
    const parsed = reportWith(name, { exit: 77, said: 'the tool said why' });
    const detail = `${name}: exit status 77: the tool said why`;
    expect(snapshotOf(parsed).failures).toContainEqual({ section: fact, detail });
  });

  it('is unknown if it is missing, unless it is optional on hosts', () => {
    const parsed = reportWith(name, null);
    if (absence === 'invalid') {
      expect(parsed).toMatchObject({ errors: [{ detail: `the report has no section ${name}` }] });
    } else if (absence === 'unknown') {
      const detail = `${name}: the report has no such section`;
      expect(snapshotOf(parsed).failures).toContainEqual({ section: fact, detail });
    } else {
      expect(parsed.kind).toBe('snapshot');
    }
  });

  it('may contain any text', () => {
    const line = fc.oneof(
      fc.string(),
      fc.string({ unit: 'binary' }),
      fc.constantFrom('a\tb\tc', ' x', '\t', '[', '{'),
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 8 }), fc.constantFrom(...answers), (lines, exit) => {
        const text = lines.join('\n').replaceAll('\r', '');
        const parsed = reportWith(name, { text, exit });
        expect(['snapshot', 'report_invalid']).toContain(parsed.kind);
      }),
      { numRuns: 60 },
    );
  });
});
