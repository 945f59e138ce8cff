import type { Host } from '@plimsoll/contract';
import { bulkActions, doubtfulFor, elsewhereInWords } from '../../src/pages/hosts/bulk/bulk-actions.ts';
import { progressOf } from '../../src/pages/hosts/bulk/bulk-progress.ts';

const hostWith = (facts: Partial<Host>) => facts as Host; // an action reads these
const kindsFor = (host: Host) => bulkActions.filter(({ concerns }) => concerns(host)).map(({ kind }) => kind);

describe('the actions on many hosts', () => {
  it.each([
    [
      { approval_status: 'pending', onboarding_mode: 'agent', tags: [] },
      ['approve', 'add_tags', 'set_exposure', 'retire', 'delete'],
    ],
    [
      { approval_status: 'approved', onboarding_mode: 'ssh', tags: ['web'] },
      [
        'add_tags',
        'remove_tags',
        'set_exposure',
        'pull_now',
        'pause_pulls',
        'resume_pulls',
        'retire',
        'delete',
      ],
    ],
    [
      { approval_status: 'retired', onboarding_mode: 'ssh', tags: [] },
      ['add_tags', 'set_exposure', 'reinstate', 'delete'],
    ],
  ] as const)('for %j are %j', (facts, kinds) => {
    expect(kindsFor(hostWith({ ...facts, tags: [...facts.tags] }))).toEqual(kinds);
  });

  it('doubt only the approval of hosts with the machine id of another one', () => {
    const hosts = [
      hostWith({ id: 'clone', machine_id_conflict_with: 'first' }),
      hostWith({ id: 'own', machine_id_conflict_with: null }),
    ];
    const doubted = bulkActions.map((action) => [
      action.kind,
      doubtfulFor(action, hosts).map(({ id }) => id),
    ]);
    expect(doubted.filter(([, ids]) => ids?.length !== 0)).toEqual([['approve', ['clone']]]);
  });

  it.each([
    [0, 5, true, null],
    [5, 5, true, 'None of them is in the list that you see.'],
    [2, 5, true, '2 of 5 are not in the list that you see.'],
    [2, 5, false, '2 of 5 were selected with other filters.'],
  ] as const)(
    'say before them of %d of %d selected hosts that they are elsewhere',
    (elsewhere, of, isKnown, words) => {
      expect(elsewhereInWords(elsewhere, of, isKnown)).toBe(words);
    },
  );

  it('count a host that was as wanted as done, and name why another one was refused', () => {
    const hosts = ['a', 'b', 'c'].map((id) => hostWith({ id }));
    const result = (host_id: string, outcome: 'done' | 'unchanged' | 'refused') => ({
      host_id,
      display_name: host_id,
      outcome,
      code: outcome === 'refused' ? ('not_found' as const) : null,
      detail: outcome === 'refused' ? 'No host has this id.' : null,
      pull_job_id: null,
    });
    const answer = {
      done: 1,
      unchanged: 1,
      refused: 1,
      hosts: [result('a', 'done'), result('b', 'unchanged'), result('c', 'refused')],
    };
    const { done, failed } = progressOf(answer, hosts);
    expect(done.map(({ id }) => id)).toEqual(['a', 'b']);
    const error = new Error('It is no longer there: it was deleted, or you may not see it.');
    expect(failed).toEqual([{ host: hosts[2], error, isGone: true }]);
  });
});
