import type { FleetSummary } from '@plimsoll/contract';
import { Link } from '@tanstack/react-router';
import { Badge } from '../../design/badge.tsx';
import { Panel } from '../../design/page/page.tsx';
import {
  areFleetFindingsKnown,
  areRebootsKnown,
  areRepositoriesKnown,
  areRestartsKnown,
} from '../../words/fleet-knowledge.ts';
import { type CountLine, CountList } from './count-list.tsx';

/** Hosts that need a reboot or restarts, that stopped installing updates, or have updates. */
export function DueRestarts({ fleet }: { readonly fleet: FleetSummary }) {
  return (
    <Panel title="Reboots and updates" actions={<Link to="/repositories">All repositories</Link>}>
      <CountList
        allZero="No host needs a reboot, a restart or an update."
        lines={[...restartLines(fleet), ...rhythmLines(fleet), ...updateLines(fleet)]}
      />
    </Panel>
  );
}

function restartLines(fleet: FleetSummary): readonly CountLine[] {
  return [
    {
      key: 'reboot',
      count: fleet.by_reboot_state.needed,
      list: { reboot_state: 'needed' },
      unknown: { count: fleet.by_reboot_state.unknown, list: { reboot_state: 'unknown' } },
      isKnown: areRebootsKnown(fleet),
      what: <Badge tone="important">Reboot needed</Badge>,
      meaning: 'The running kernel or a library is older than the installed one.',
    },
    {
      key: 'restart',
      count: fleet.by_restart_state.needed,
      list: { restart_state: 'needed', sort: '-needs_restart' },
      unknown: { count: fleet.by_restart_state.unknown, list: { restart_state: 'unknown' } },
      isKnown: areRestartsKnown(fleet),
      what: <Badge tone="moderate">Restart needed</Badge>,
      meaning: 'Services run outdated code.',
    },
  ];
}

/** Nothing while no host has reported for long enough. */
function rhythmLines({ by_patch_rhythm, hosts }: FleetSummary): readonly CountLine[] {
  if (by_patch_rhythm.unknown === hosts) return [];
  return [
    {
      key: 'rhythm',
      count: by_patch_rhythm.stopped,
      list: { patch_rhythm: 'stopped' },
      unknown: { count: by_patch_rhythm.unknown, list: { patch_rhythm: 'unknown' } },
      what: <Badge tone="important">Stopped updating</Badge>,
      meaning: 'Updates wait or are not known, and none was installed for far longer than usual.',
    },
  ];
}

function updateLines(fleet: FleetSummary): readonly CountLine[] {
  return [
    {
      key: 'updates',
      count: fleet.hosts_with.updates,
      list: { has_updates: 'true', sort: '-available_updates' },
      unknown: { count: fleet.by_updates_state.unknown, list: { updates_state: 'unknown' } },
      isKnown: fleet.updates_unknown_hosts === 0,
      what: <Badge tone="low">Updates available</Badge>,
      meaning: 'The repositories of these hosts offer newer packages.',
    },
    {
      key: 'repositories',
      count: fleet.by_repositories_state.outdated,
      list: { repositories_state: 'outdated' },
      unknown: { count: fleet.by_repositories_state.unknown, list: { repositories_state: 'unknown' } },
      isKnown: areRepositoriesKnown(fleet),
      what: <Badge tone="moderate">Outdated repositories</Badge>,
      meaning: 'Older than the newest known copy: updates may be missing from the numbers.',
    },
    {
      key: 'broken',
      count: fleet.hosts_with.broken_packages ?? 0,
      list: { has_broken_packages: 'true' },
      isKnown: fleet.by_gap.no_report === 0,
      what: <Badge tone="important">Unfinished installations</Badge>,
      meaning: 'The package manager stopped in the middle: fixes in these packages do not count yet.',
    },
    {
      key: 'disagreements',
      count: fleet.hosts_with.disagreements,
      list: { has_disagreements: 'true' },
      isKnown: areFleetFindingsKnown(fleet) && fleet.updates_unknown_hosts === 0,
      what: <Badge tone="neutral">Disagreements</Badge>,
      meaning: 'Package manager and advisories disagree about updates.',
    },
    {
      key: 'lists',
      count: fleet.by_updates_state.stale,
      list: { updates_state: 'stale' },
      unknown: { count: fleet.by_updates_state.unknown, list: { updates_state: 'unknown' } },
      what: <Badge tone="neutral">Outdated package lists</Badge>,
      meaning: 'Older than seven days. The numbers may not include all updates.',
    },
  ];
}
