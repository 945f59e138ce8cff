import type { HostChanges, HostDetail, SnapshotSummary } from '@plimsoll/contract';
import { useApi } from '../../../api/queries.ts';
import { Select } from '../../../design/form/fields.tsx';
import { Panel } from '../../../design/page/page.tsx';
import { Empty, Loaded } from '../../../design/states.tsx';
import { exactTime } from '../../../design/time/moment-words.ts';
import { FoldedTable } from '../folded-table.tsx';
import styles from '../host.module.css';
import { useHostSearch } from '../host-search.ts';
import { changedPackageColumns, closedColumns, openedColumns } from './change-columns.tsx';

interface ChangesPanelProps {
  readonly host: HostDetail;
  /** Newest first; not empty. */
  readonly snapshots: readonly SnapshotSummary[];
}

/** Changes between two snapshots: the ones in the address, otherwise the newest two. */
export function ChangesPanel({ host, snapshots }: ChangesPanelProps) {
  const [search, change] = useHostSearch();
  const to = search.to ?? snapshots[0]?.id ?? '';
  const from = search.from ?? snapshots[1]?.id ?? to;
  const options = optionsOf(snapshots, [from, to]);
  return (
    <Panel
      title="Changes"
      actions={
        snapshots.length > 1 && (
          <div className={styles['filters']}>
            <Select label="From" value={from} options={options} onChange={(id) => change({ from: id })} />
            <Select label="To" value={to} options={options} onChange={(id) => change({ to: id })} />
          </div>
        )
      }
    >
      {snapshots.length === 1 && search.from === undefined ? (
        <Empty title="Nothing to compare">There is only one snapshot.</Empty>
      ) : (
        <Changes key={`${from}:${to}`} id={host.id} from={from} to={to} />
      )}
    </Panel>
  );
}

/** The snapshots that were read, plus the ones in the address. */
function optionsOf(snapshots: readonly SnapshotSummary[], named: readonly string[]) {
  const read = snapshots.map(({ id, received_at }) => [id, exactTime(new Date(received_at))] as const);
  const known = new Set(read.map(([id]) => id));
  const others = [...new Set(named)].filter((id) => !known.has(id));
  return [...read, ...others.map((id) => [id, 'An older snapshot'] as const)];
}

interface ChangesProps {
  readonly id: string;
  readonly from: string;
  readonly to: string;
}

function Changes({ id, from, to }: ChangesProps) {
  const query = useApi('/hosts/{id}/changes', {
    params: { id },
    query: { from_snapshot: from, to_snapshot: to },
  });
  return (
    <Loaded query={query} what="Loading the changes">
      {(changes) => <ChangesLists changes={changes} />}
    </Loaded>
  );
}

/** New findings, resolved findings and changed packages, each folded behind its number. */
function ChangesLists({ changes: { opened, closed, packages } }: { readonly changes: HostChanges }) {
  if (opened.length + closed.length + packages.length === 0) {
    return (
      <Empty title="No change is listed">
        The same packages are installed, with the same findings. Negligible ones are not compared.
      </Empty>
    );
  }
  return (
    <div className={styles['tight']}>
      <FoldedTable
        label="New findings"
        words={['package with new vulnerabilities', 'packages with new vulnerabilities']}
        columns={openedColumns}
        rows={opened}
        rowId={({ name, architecture }) => `${name}:${architecture}`}
      />
      <FoldedTable
        label="Resolved findings"
        words={['package with resolved vulnerabilities', 'packages with resolved vulnerabilities']}
        columns={closedColumns}
        rows={closed}
        rowId={({ name, architecture }) => `${name}:${architecture}`}
      />
      <FoldedTable
        label="Changed packages"
        words={['package changed', 'packages changed']}
        columns={changedPackageColumns}
        rows={packages}
        rowId={({ name, architecture, from_version, to_version }) =>
          `${name}:${architecture}:${from_version}:${to_version}`
        }
      />
    </div>
  );
}
