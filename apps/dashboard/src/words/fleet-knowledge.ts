import type { FleetSummary, Host } from '@plimsoll/contract';
import { blindingGaps } from './knowledge.ts';

type Action = Host['overall_action'];

/** The fields of the fleet summary that say how much is known. */
export type FleetKnown = Pick<
  FleetSummary,
  | 'by_gap'
  | 'by_reboot_state'
  | 'by_restart_state'
  | 'by_repositories_state'
  | 'findings_unknown_hosts'
  | 'updates_unknown_hosts'
>;

/** Whether zero findings mean that the fleet has none, apart from packages that cannot be checked. */
export function areFleetFindingsKnown({ by_gap }: Pick<FleetSummary, 'by_gap'>): boolean {
  return blindingGaps.every((gap) => by_gap[gap] === 0);
}

/** What precedes a number of hosts or findings above zero: it is a lower bound while the findings of some hosts are not known. */
export function lowerBound({ findings_unknown_hosts }: Pick<FleetSummary, 'findings_unknown_hosts'>): string {
  return findings_unknown_hosts === 0 ? '' : 'At least ';
}

/** Whether all hosts have recent reports; an old report does not show what became due later. */
function areReportsRecent({ by_gap }: Pick<FleetSummary, 'by_gap'>): boolean {
  return by_gap.no_report === 0 && by_gap.report_outdated === 0;
}

/** Whether zero hosts that need a reboot is a known zero. */
export function areRebootsKnown(fleet: FleetKnown): boolean {
  return fleet.by_reboot_state.unknown === 0 && areReportsRecent(fleet);
}

/** Whether zero hosts that need a service restart is a known zero. */
export function areRestartsKnown(fleet: FleetKnown): boolean {
  return fleet.by_restart_state.unknown === 0 && areReportsRecent(fleet);
}

/** Whether zero hosts with outdated repositories is a known zero. */
export function areRepositoriesKnown(fleet: FleetKnown): boolean {
  return fleet.by_repositories_state.unknown === 0 && areReportsRecent(fleet);
}

/** What has to be known of the fleet so that no host with an action means that there is none. */
type Part = 'findings' | 'unfixed' | 'updates' | 'reboots' | 'restarts' | 'repositories' | 'support';

/** What each action comes from. */
const partsOfActions: Readonly<Record<Action, readonly Part[]>> = {
  unknown: [],
  none: [],
  watch: ['findings', 'unfixed'],
  update: ['updates'],
  restart: ['restarts'],
  subscribe: ['findings'],
  reboot: ['reboots'],
  upgrade_release: ['support'],
  unblock: ['findings', 'repositories'],
  update_security: ['findings', 'updates'],
  mitigate_urgent: ['findings', 'unfixed'],
  reboot_urgent: ['findings', 'reboots'],
  upgrade_release_urgent: ['findings', 'unfixed'],
  unblock_urgent: ['findings'],
  update_urgent: ['findings'],
};

/** Whether an action can come from findings, or from those without a fix. Never for a word that is not an action. */
export function comesFrom(action: string, part: 'findings' | 'unfixed'): boolean {
  const parts: Readonly<Partial<Record<string, readonly Part[]>>> = partsOfActions;
  return Object.hasOwn(parts, action) && parts[action]?.includes(part) === true;
}

/** Whether zero hosts with an action is a known zero, apart from packages that cannot be checked. */
export function isActionKnown(action: Action, fleet: FleetKnown): boolean {
  return partsOfActions[action].every((part) => isPartKnown(part, fleet));
}

function isPartKnown(part: Part, fleet: FleetKnown): boolean {
  const { by_gap } = fleet;
  switch (part) {
    case 'findings':
      return areFleetFindingsKnown(fleet);
    case 'unfixed':
      return by_gap.feed_lists_fixes_only === 0;
    case 'updates':
      return fleet.updates_unknown_hosts === 0;
    case 'reboots':
      return areRebootsKnown(fleet);
    case 'restarts':
      return areRestartsKnown(fleet);
    case 'repositories':
      return areRepositoriesKnown(fleet);
    case 'support':
      return by_gap.no_report === 0 && by_gap.no_feed === 0;
    default:
      return part satisfies never;
  }
}

/** A part of the state that is not known on some hosts. */
export interface UnknownPart {
  readonly what: string;
  readonly hosts: number;
  /** Search parameters of the list of these hosts. */
  readonly list: Readonly<Record<string, string>>;
}

/**
 * Parts of the state whose actions may be missing, each with its number of hosts; empty if everything is
 * known.
 */
export function unknownParts(fleet: FleetKnown): readonly UnknownPart[] {
  const parts: readonly UnknownPart[] = [
    { what: 'findings', hosts: fleet.findings_unknown_hosts, list: { findings_known: 'false' } },
    { what: 'updates', hosts: fleet.updates_unknown_hosts, list: { updates_known: 'false' } },
    { what: 'reboots', hosts: fleet.by_reboot_state.unknown, list: { reboot_state: 'unknown' } },
    { what: 'restarts', hosts: fleet.by_restart_state.unknown, list: { restart_state: 'unknown' } },
    {
      what: 'repositories',
      hosts: fleet.by_repositories_state.unknown,
      list: { repositories_state: 'unknown' },
    },
    { what: 'the current state', hosts: fleet.by_gap.report_outdated, list: { gap: 'report_outdated' } },
  ];
  return parts.filter(({ hosts }) => hosts > 0);
}
