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

/** Whether zero hosts with an action is a known zero, apart from packages that cannot be checked. */
export function isActionKnown(action: Action, fleet: FleetKnown): boolean {
  const { by_gap } = fleet;
  const areFindingsKnown = areFleetFindingsKnown(fleet);
  const areUpdatesKnown = fleet.updates_unknown_hosts === 0;
  switch (action) {
    case 'unknown':
    case 'none':
      return true;
    case 'reboot':
      return areRebootsKnown(fleet);
    case 'restart':
      return areRestartsKnown(fleet);
    case 'update':
      return areUpdatesKnown;
    case 'upgrade_release':
      return by_gap.no_report === 0 && by_gap.no_feed === 0;
    case 'reboot_urgent':
      return areFindingsKnown && areRebootsKnown(fleet);
    case 'update_security':
      return areFindingsKnown && areUpdatesKnown;
    case 'unblock':
      return areFindingsKnown && areRepositoriesKnown(fleet);
    case 'update_urgent':
    case 'unblock_urgent':
    case 'subscribe':
      return areFindingsKnown;
    case 'upgrade_release_urgent':
    case 'mitigate_urgent':
    case 'watch':
      return areFindingsKnown && by_gap.feed_lists_fixes_only === 0;
    default:
      return action satisfies never;
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
