import type { SnapshotSummary } from '@plimsoll/contract';
import { modeWords } from '@plimsoll/words';
import type { Column } from '../../../design/table/table-columns.ts';
import { ExactTime, Time } from '../../../design/time/time.tsx';
import { HostLink } from '../host-link.tsx';

const kilobytes = new Intl.NumberFormat('en', { style: 'unit', unit: 'kilobyte', maximumFractionDigits: 1 });

/** Columns of a list of snapshots. */
export const snapshotColumns: readonly Column<SnapshotSummary>[] = [
  {
    id: 'received',
    header: 'Received',
    width: '14rem',
    cell: ({ received_at, resolution }) => (
      <>
        <ExactTime at={received_at} />
        {resolution !== 'snapshot' && `, the last of its ${resolution}`}
      </>
    ),
    sortBy: ({ received_at }) => Date.parse(received_at),
  },
  {
    id: 'then',
    header: 'Findings',
    width: '10rem',
    cell: ({ received_at }) => (
      <HostLink search={{ tab: 'vulnerable', at: received_at }}>Findings at that time</HostLink>
    ),
  },
  {
    id: 'since',
    header: 'Changes',
    width: '10rem',
    cell: ({ id }) => <HostLink search={{ tab: 'history', from: id }}>Compare with latest</HostLink>,
  },
  {
    id: 'collected',
    header: 'Collected',
    width: '10rem',
    from: 'medium',
    cell: ({ collected_at }) => (collected_at === null ? 'Not stated' : <Time at={collected_at} />),
  },
  {
    id: 'source',
    header: 'By',
    width: '7rem',
    from: 'medium',
    cell: ({ source }) => modeWords[source],
    sortBy: ({ source }) => source,
  },
  {
    id: 'size',
    header: 'Size',
    width: '7rem',
    align: 'end',
    from: 'medium',
    cell: ({ payload_size }) => kilobytes.format(payload_size / 1_000),
    sortBy: ({ payload_size }) => payload_size,
  },
];
