import { overallActions } from '@plimsoll/model';
import { actionOf, actionOrder, actionWords } from '@plimsoll/words';
import { type ActionFacts, actionReason } from '../../src/words/action-reason.ts';

const now = Date.parse('2026-11-22T10:14:05Z');
const host = (some: Partial<ActionFacts>): ActionFacts => ({
  overall_action: 'none',
  gaps: [],
  os_name: 'rocky',
  os_version: '9.1',
  unknown_count: 0,
  feed_updated_at: '2026-11-21T06:00:00Z',
  reported_at: '2026-11-22T10:14:05Z',
  last_seen_at: '2026-11-22T10:14:05Z',
  critical_count: 0,
  important_count: 0,
  moderate_count: 0,
  low_count: 0,
  unrated_count: 0,
  unfixed_count: 0,
  waived_count: 0,
  known_exploited_count: 0,
  available_updates: 0,
  broken_count: 0,
  needs_restart: 0,
  repositories_state: 'current',
  repository_error: '',
  ...some,
});

describe('the reason for an action', () => {
  it('of a repository that fails is in the words of the tool', () => {
    const error = 'bookworm-security: every key that signs it has expired';
    const failing = host({
      overall_action: 'unblock',
      gaps: ['repository_failing'],
      repository_error: error,
    });
    expect(actionReason(failing, now)).toContain(error);
    expect(actionOf(failing).words).toBe('Repair repository');
    expect(actionOf(host({ overall_action: 'unblock' })).words).toBe('Unblock fix');
  });

  it('of nothing to do is clear only if everything is known', () => {
    expect(actionOf(host({}))).toMatchObject({ words: 'Clear', tone: 'good' });
    const partly = host({ gaps: ['reboot_unknown'] });
    expect(actionOf(partly)).toMatchObject({ words: 'Clear as far as known', tone: 'neutral' });
  });

  it('has every rung of the ladder, the most urgent first', () => {
    expect([...actionOrder].sort()).toEqual([...overallActions].sort());
    expect(actionOrder[0]).toBe('update_urgent');
    expect(actionOrder.at(-1)).toBe('none');
  });

  it('is calm for nothing to do alone', () => {
    expect(actionOrder.filter((action) => actionWords[action].tone === 'good')).toEqual(['none']);
  });

  it.each([...overallActions])('%s: says one or two sentences with facts', (overall_action) => {
    expect(actionReason(host({ overall_action, critical_count: 2, needs_restart: 3 }), now)).toMatch(
      /^.{15,}\.$/,
    );
  });

  it('dates nothing to do', () => {
    expect(actionReason(host({}), now)).toMatch(
      /^No open findings or updates as of 22 Nov 2026 \d\d:14:05 \S+, advisories of 21 Nov 2026\.$/,
    );
  });

  it('says beside nothing to do that findings are waived', () => {
    expect(actionReason(host({ waived_count: 2 }), now)).toMatch(
      /^No open findings or updates, waived ones left out, as of 22 Nov 2026 /,
    );
  });

  it('says beside nothing to do what is not known', () => {
    const partial = host({ gaps: ['packages_unchecked', 'reboot_unknown'], unknown_count: 1 });
    expect(actionReason(partial, now)).toMatch(
      / Not known: 1 installed package cannot be checked; the host did not report whether it needs a reboot\.$/,
    );
  });

  it('says why a host cannot be assessed', () => {
    const unknown = host({ overall_action: 'unknown', gaps: ['no_feed'], feed_updated_at: null });
    expect(actionReason(unknown, now)).toBe(
      'Cannot be assessed: no advisory feed for Rocky Linux 9.1. Known so far: 0 findings.',
    );
  });

  it('calls updates none for security only where advisories and package lists are known', () => {
    const update = { overall_action: 'update', available_updates: 3 } as const;
    expect(actionReason(host(update), now)).toBe('3 updates available. None of them is a security update.');
    expect(actionReason(host({ ...update, gaps: ['no_feed'] }), now)).toBe(
      '3 updates available. They may include security fixes: no advisory feed for Rocky Linux 9.1.',
    );
    expect(actionReason(host({ ...update, gaps: ['package_lists_outdated'] }), now)).toContain('may include');
  });

  it('counts what is urgent, and findings without a fix apart', () => {
    const urgent = host({
      overall_action: 'unblock_urgent',
      critical_count: 1,
      known_exploited_count: 17,
    });
    expect(actionReason(urgent, now)).toMatch(
      /^1 critical and 17 known exploited findings\. A fix is published/,
    );
    expect(actionReason(host({ overall_action: 'watch', unfixed_count: 4 }), now)).toBe(
      '4 findings, without a fix. None of them can be fixed on this host now.',
    );
  });

  it('says that a fix can be installed only where the offers of the repositories are known', () => {
    const urgent = { overall_action: 'update_urgent', critical_count: 2 } as const;
    expect(actionReason(host(urgent), now)).toContain('has a fix that can be installed');
    expect(actionReason(host({ ...urgent, gaps: ['package_lists_unknown'] }), now)).toBe(
      '2 critical findings. At least one of them has a published fix.',
    );
  });

  it('never says that no service needs the restart that is due', () => {
    const restart = { overall_action: 'restart' } as const;
    expect(actionReason(host({ ...restart, needs_restart: 1 }), now)).toBe('1 service runs outdated code.');
    expect(actionReason(host(restart), now)).toBe('At least one service runs outdated code.');
  });

  it('names the package manager where no finding has a fix', () => {
    const marked = { overall_action: 'update_security', unfixed_count: 105 } as const;
    expect(actionReason(host(marked), now)).toBe(
      '105 findings, without a fix. The package manager marks at least one update as a security update.',
    );
  });

  it.each(['update_security', 'unblock', 'subscribe', 'watch'] as const)(
    'does not call few findings all if advisories are missing: %s',
    (overall_action) => {
      const blind = host({ overall_action, gaps: ['feed_never_synced'] });
      expect(actionReason(blind, now)).toMatch(/^Known so far: 0 findings\. /);
    },
  );

  it.each(['reboot', 'restart', 'subscribe'] as const)(
    '%s: hides no reason for something more urgent',
    (overall_action) => {
      expect(actionReason(host({ overall_action }), now)).not.toContain('more urgent');
      expect(actionReason(host({ overall_action, gaps: ['no_feed'] }), now)).toContain(
        'Something more urgent may be due: no advisory feed for Rocky Linux 9.1.',
      );
    },
  );
});
