import { gaps, overallActions } from '@plimsoll/model';
import {
  areFleetFindingsKnown,
  type FleetKnown,
  isActionKnown,
  lowerBound,
  unknownParts,
} from '../../src/words/fleet-knowledge.ts';
import { blindingGaps } from '../../src/words/knowledge.ts';

const noGaps = Object.fromEntries(gaps.map((gap) => [gap, 0])) as FleetKnown['by_gap']; // every gap is a key
const fleet = (some: Partial<FleetKnown> = {}): FleetKnown => ({
  by_gap: noGaps,
  by_reboot_state: { needed: 0, not_needed: 5, unknown: 0 },
  by_restart_state: { needed: 0, not_needed: 5, unknown: 0 },
  by_repositories_state: { current: 5, outdated: 0, unknown: 0 },
  findings_unknown_hosts: 0,
  updates_unknown_hosts: 0,
  ...some,
});
const unknown = { needed: 0, not_needed: 4, unknown: 1 };

/** The actions whose zero is not known to be zero. */
const doubted = (known: FleetKnown) =>
  overallActions.filter((action) => !isActionKnown(action, known)).sort();

describe('what is known of a fleet', () => {
  it('doubts no zero where everything is known', () => {
    expect(doubted(fleet())).toEqual([]);
    expect(unknownParts(fleet())).toEqual([]);
  });

  it.each([...blindingGaps])('%s: doubts every zero that findings decide', (gap) => {
    const blind = fleet({ by_gap: { ...noGaps, [gap]: 1 }, findings_unknown_hosts: 1 });
    expect(areFleetFindingsKnown(blind)).toBe(false);
    expect(doubted(blind)).toEqual(
      expect.arrayContaining([
        'update_urgent',
        'unblock_urgent',
        'mitigate_urgent',
        'reboot_urgent',
        'update_security',
        'subscribe',
        'watch',
      ]),
    );
  });

  it('calls numbers lower bounds as soon as the findings of one host are not known', () => {
    expect(lowerBound(fleet())).toBe('');
    expect(lowerBound(fleet({ findings_unknown_hosts: 1 }))).toBe('At least ');
  });

  it('doubts each other zero for what decides it', () => {
    expect(doubted(fleet({ by_reboot_state: unknown }))).toEqual(['reboot', 'reboot_urgent']);
    expect(doubted(fleet({ by_restart_state: unknown }))).toEqual(['restart']);
    expect(doubted(fleet({ updates_unknown_hosts: 1 }))).toEqual(['update', 'update_security']);
    expect(doubted(fleet({ by_repositories_state: { current: 4, outdated: 0, unknown: 1 } }))).toEqual([
      'unblock',
    ]);
    expect(doubted(fleet({ by_gap: { ...noGaps, feed_lists_fixes_only: 1 } }))).toEqual([
      'mitigate_urgent',
      'upgrade_release_urgent',
      'watch',
    ]);
  });

  it('doubts the zeros of a fleet with a silent host, whatever it said last', () => {
    const silent = fleet({ by_gap: { ...noGaps, report_outdated: 1 } });
    expect(doubted(silent)).toEqual(
      expect.arrayContaining(['reboot', 'reboot_urgent', 'restart', 'unblock']),
    );
    expect(unknownParts(silent).map(({ what, hosts }) => `${what} of ${hosts}`)).toEqual([
      'the current state of 1',
    ]);
  });

  it('never doubts the number of hosts that are not known, or have nothing to do', () => {
    const nothing = Object.fromEntries(gaps.map((gap) => [gap, 9])) as FleetKnown['by_gap'];
    const blind = fleet({
      by_gap: nothing,
      by_reboot_state: unknown,
      by_restart_state: unknown,
      updates_unknown_hosts: 9,
      findings_unknown_hosts: 9,
    });
    expect(isActionKnown('unknown', blind) && isActionKnown('none', blind)).toBe(true);
  });

  it('says on how many hosts what is not known', () => {
    const parts = unknownParts(fleet({ by_reboot_state: unknown, findings_unknown_hosts: 3 }));
    expect(parts).toEqual([
      { what: 'findings', hosts: 3, list: { findings_known: 'false' } },
      { what: 'reboots', hosts: 1, list: { reboot_state: 'unknown' } },
    ]);
  });
});
