import type { PlannedHost } from '@plimsoll/contract';
import { progressWords } from '@plimsoll/words';
import { blindingGaps } from '../../src/words/knowledge.ts';
import { planStateWord, sumOverHosts } from '../../src/words/plan-words.ts';

type Open = PlannedHost['stays_open'][number];

const open = (known_exploited: number): Open => ({
  fix_state: 'held',
  reason: 'The package is held on the host.',
  advisories: 1,
  worst_severity: 'critical',
  known_exploited,
  listed: [],
});

const idle = (stays_open: readonly Open[], gaps: PlannedHost['gaps'] = []) =>
  planStateWord({ state: 'nothing_to_do', stays_open: [...stays_open], gaps });

describe('a host on which a plan installs nothing', () => {
  it('is only called good if no advisory stays open on it', () => {
    expect(idle([]).tone).toBe('good');
    expect(idle([open(0)]).tone).toBe('neutral');
  });

  it('stands out if one of them is known to be exploited', () => {
    const word = idle([open(0), open(1)], ['no_feed']);
    expect(word.tone).toBe('important');
    expect(word.meaning).toContain('Advisories stay open on it. Not all of its findings are known.');
  });

  it.each([...blindingGaps, 'feed_lists_fixes_only'] as const)(
    'is not called good with the gap %s, because advisories that are not known may stay open',
    (gap) => {
      const word = idle([], ['restart_unknown', gap]);
      expect(word.tone).toBe('neutral');
      expect(word.meaning).toMatch(/ Not all of its findings are known\.$/);
      expect(word.meaning).not.toContain('stay open');
    },
  );

  it('is called good although it is not known whether services need a restart', () => {
    expect(idle([], ['restart_unknown']).tone).toBe('good');
  });

  it('is never said to have nothing to do', () => {
    const words = [idle([]), progressWords.nothing_planned];
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
