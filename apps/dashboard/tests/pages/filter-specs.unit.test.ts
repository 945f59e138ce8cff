import { actionOrder, gapOrder } from '@plimsoll/words';
import { areAboutFindings, mayHoldByUnfixed } from '../../src/pages/hosts/filters/about-findings.ts';
import { filterSpecs, valueWords } from '../../src/pages/hosts/filters/filter-specs.ts';
import { hostsSearch } from '../../src/pages/hosts/hosts-search.ts';

const specOf = (name: string) => {
  const spec = filterSpecs.find((each) => each.name === name);
  if (spec === undefined) throw new Error(`no filter ${name}`);
  return spec;
};
const values = (name: string) => specOf(name).options?.map(([value]) => value);

describe('the filters of the list of hosts', () => {
  it('are in the address, each once', () => {
    const named = Object.fromEntries(filterSpecs.map(({ name }) => [name, 'x']));
    expect(Object.keys(named)).toHaveLength(filterSpecs.length);
    expect(hostsSearch(named)).toEqual(named);
  });

  it('offer every action and every gap', () => {
    expect(values('overall_action')).toEqual(actionOrder);
    expect(values('gap')).toEqual(gapOrder);
  });

  it('say what a severity includes', () => {
    expect(specOf('severity').options).toEqual([
      ['critical', 'Critical'],
      ['important', 'Important or worse'],
      ['moderate', 'Moderate or worse'],
      ['low', 'Low or worse'],
      ['unrated', 'Any severity'],
    ]);
  });

  it('show a value without words as it is', () => {
    expect(valueWords(specOf('status'), 'stale')).toBe('Stale');
    expect(valueWords(specOf('status'), 'sleeping')).toBe('sleeping');
    expect(valueWords(specOf('tag'), 'web')).toBe('web');
  });
});

it.each([
  [{ known_exploited: 'true', tag: 'web' }, true],
  [{ finding_severity: 'critical' }, true],
  [{ overdue: 'false' }, false],
  [{ tag: 'web', q: 'a' }, false],
])('filters %j are about findings that hosts have: %s', (filters, expected) => {
  expect(areAboutFindings(filters)).toBe(expected);
});

it.each([
  [{ unfixed: 'true', tag: 'web' }, true],
  [{ overall_action: 'mitigate_urgent' }, true],
  [{ known_exploited: 'true' }, true],
  // Only by findings that have a fix.
  [{ overall_action: 'update_urgent' }, false],
  [{ severity: 'critical' }, false],
  [{ unfixed: 'true', has_findings: 'true' }, false],
  [{ unfixed: 'false' }, false],
  [{ tag: 'web' }, false],
])('filters %j can hold by findings without a fix: %s', (filters, expected) => {
  expect(mayHoldByUnfixed(filters)).toBe(expected);
});
