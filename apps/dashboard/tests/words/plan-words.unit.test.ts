import type { PlannedHost } from '@plimsoll/contract';
import { planStateWord, progressWords, sumOverHosts } from '../../src/words/plan-words.ts';

type Open = PlannedHost['stays_open'][number];

const open = (known_exploited: number): Open => ({
  fix_state: 'held',
  reason: 'The package is held on the host.',
  advisories: 1,
  worst_severity: 'critical',
  known_exploited,
  listed: [],
});

describe('a host on which a plan installs nothing', () => {
  it('is only called good if no advisory stays open on it', () => {
    expect(planStateWord({ state: 'nothing_to_do', stays_open: [] }).tone).toBe('good');
    expect(planStateWord({ state: 'nothing_to_do', stays_open: [open(0)] }).tone).toBe('neutral');
  });

  it('stands out if one of them is known to be exploited', () => {
    const word = planStateWord({ state: 'nothing_to_do', stays_open: [open(0), open(1)] });
    expect(word.tone).toBe('important');
    expect(word.meaning).toContain('Advisories stay open on it.');
  });

  it('is never said to have nothing to do', () => {
    const words = [planStateWord({ state: 'nothing_to_do', stays_open: [] }), progressWords.nothing_planned];
    expect(words.map((word) => word.words)).toEqual(['Nothing to install', 'Nothing to install']);
  });
});

describe('the number of advisories of a plan', () => {
  it('says that it is a sum where an advisory can count on several hosts', () => {
    expect(sumOverHosts(1551, 5)).toBe('1,551, summed over the hosts');
    expect(sumOverHosts(3, 1)).toBe('3');
    expect(sumOverHosts(0, 5)).toBe('0');
  });
});
