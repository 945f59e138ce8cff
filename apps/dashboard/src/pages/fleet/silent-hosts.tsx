import type { FleetSummary } from '@plimsoll/contract';
import { statusWords } from '@plimsoll/words';
import { Panel } from '../../design/page/page.tsx';
import { StatusBadge } from '../../words/badges.tsx';
import { CountList } from './count-list.tsx';

const silent = ['unreachable', 'stale', 'new'] as const;

/** Hosts without a recent report. */
export function SilentHosts({ fleet }: { readonly fleet: FleetSummary }) {
  return (
    <Panel title="Silent hosts">
      <CountList
        allZero="Every host reports on schedule."
        lines={silent.map((status) => ({
          key: status,
          count: fleet.by_status[status],
          list: { status, sort: 'reported_at' },
          what: <StatusBadge status={status} />,
          meaning: statusWords[status].meaning,
        }))}
      />
    </Panel>
  );
}
