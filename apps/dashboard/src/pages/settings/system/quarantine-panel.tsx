import type { QuarantinedEntry } from '@plimsoll/contract';
import { Link } from '@tanstack/react-router';
import { api } from '../../../api/client.ts';
import { useApi, useChange } from '../../../api/queries.ts';
import { Button } from '../../../design/button.tsx';
import { Panel } from '../../../design/page/page.tsx';
import { Loaded } from '../../../design/states.tsx';
import { DataTable } from '../../../design/table/data-table.tsx';
import { type Column, column } from '../../../design/table/table-columns.ts';
import { ForeignText } from '../../../design/text/foreign-text.tsx';
import { Time } from '../../../design/time/time.tsx';
import { toast } from '../../../design/toasts.tsx';
import styles from '../settings.module.css';

const kinds = {
  upload: 'Report',
  feed_record: 'Feed records',
  notification: 'Message',
} as const satisfies Record<QuarantinedEntry['kind'], string>;

const ways = {
  bytes_deleted: 'No: its bytes were deleted',
  overtaken: 'Not needed: the host is known to be newer',
  with_next_sync: 'With the next sync that reads them',
  impossible: 'No',
} as const satisfies Record<Exclude<QuarantinedEntry['retry'], 'possible'>, string>;

const columns: readonly Column<QuarantinedEntry>[] = [
  column('kind', 'What', { cell: ({ kind }) => kinds[kind] }),
  column('name', 'Of', {
    cell: ({ host_id, name }) =>
      host_id === null ? (
        <ForeignText text={name} />
      ) : (
        <Link to="/hosts/$id" params={{ id: host_id }}>
          <ForeignText text={name} />
        </Link>
      ),
  }),
  column('at', 'Since', { cell: ({ at }) => <Time at={at} /> }),
  column('reason', 'Reason', {
    cell: ({ reason, detail }) => (
      <span className={styles['text']}>
        {reason}: <ForeignText text={detail} />
      </span>
    ),
  }),
  column('retry', 'Again', { cell: (entry) => <Again entry={entry} /> }),
];

/** Reports and feed records that could not be read, and messages that were given up: the newest hundred. */
export function QuarantinePanel() {
  const quarantine = useApi('/quarantine');
  return (
    <Panel title="Quarantine" flush>
      <Loaded query={quarantine} what="Loading the quarantine">
        {(rows) =>
          rows.length === 0 ? (
            <p className={`${styles['muted']} ${styles['beside']}`}>
              Nothing that is still kept. Rejected reports and messages are deleted after a time
              (retention.uploads_days, retention.deliveries_days); records that feeds could not deliver are
              known of syncs since this version.
            </p>
          ) : (
            <DataTable
              label="Quarantine"
              columns={columns}
              rows={rows}
              rowId={({ kind, id }) => `${kind} ${id}`}
            />
          )
        }
      </Loaded>
    </Panel>
  );
}

function Again({ entry: { kind, id, name, retry } }: { readonly entry: QuarantinedEntry }) {
  const change = useChange(
    () => api.post('/quarantine/uploads/retry', { body: { ids: [id] } }),
    ['/quarantine', '/system'],
  );
  if (retry !== 'possible') return ways[retry];
  if (kind !== 'upload')
    return (
      <Link to="/settings" search={{ tab: 'notifications' }}>
        Under Notifications
      </Link>
    );
  const press = () => toast.outcome(change.mutateAsync(), 'The report is read again within seconds.');
  return (
    <Button
      look="quiet"
      isPending={change.isPending}
      onPress={press}
      aria-label={`Read the report of ${name} again`}
    >
      Read again
    </Button>
  );
}
