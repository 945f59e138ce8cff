import type { FleetSummary } from '@plimsoll/contract';
import { Badge } from '../../design/badge.tsx';
import { Panel } from '../../design/page.tsx';
import { CountList } from './count-list.tsx';

/** Hosts that still run what was updated, and those with updates waiting. */
export function DueRestarts({ fleet }: { readonly fleet: FleetSummary }) {
  return (
    <Panel title="Reboots and updates">
      <CountList
        allZero="No reboot, restart or update is due."
        lines={[
          {
            key: 'reboot',
            count: fleet.by_reboot_state.needed,
            list: { reboot_state: 'needed' },
            what: <Badge tone="important">Reboot needed</Badge>,
            meaning: 'The running kernel or a library is older than the installed one.',
          },
          {
            key: 'restart',
            count: fleet.by_restart_state.needed,
            list: { restart_state: 'needed', sort: '-needs_restart' },
            what: <Badge tone="moderate">Restart needed</Badge>,
            meaning: 'Services run outdated code.',
          },
          {
            key: 'updates',
            count: fleet.hosts_with.updates,
            list: { has_updates: 'true', sort: '-available_updates' },
            what: <Badge tone="low">Updates available</Badge>,
            meaning: 'The repositories of these hosts offer newer packages.',
          },
          {
            key: 'lists',
            count: fleet.by_updates_state.stale,
            list: { updates_state: 'stale' },
            what: <Badge tone="neutral">Outdated package lists</Badge>,
            meaning: 'Older than seven days. The numbers may not include all updates.',
          },
        ]}
      />
    </Panel>
  );
}
