import type { HostDetail, Upload } from '@plimsoll/contract';
import { modeWords, uploadWords } from '@plimsoll/words';
import { useApiPages } from '../../../api/pages.ts';
import { Badge } from '../../../design/badge.tsx';
import { Panel } from '../../../design/page/page.tsx';
import { Empty, Loaded } from '../../../design/states.tsx';
import { DataTable } from '../../../design/table/data-table.tsx';
import { type Column, column } from '../../../design/table/table-columns.ts';
import { ExactTime } from '../../../design/time/time.tsx';
import styles from '../host.module.css';
import { HostLink } from '../host-link.tsx';
import { LineErrors } from '../line-errors.tsx';
import { MoreRows } from '../more-rows.tsx';

const pageRows = 25;

/** The uploads of a host with their state. */
export function UploadsTab({ host }: { readonly host: HostDetail }) {
  const query = useApiPages('/hosts/{id}/uploads', pageRows, { params: { id: host.id } });
  return (
    <Panel title="Uploads" flush>
      <Loaded query={query} what="Loading the uploads">
        {({ rows, total }) =>
          rows.length === 0 ? (
            <Empty title="No uploads yet">
              Every upload of the host is listed here, also those that were rejected.
            </Empty>
          ) : (
            <>
              <DataTable label="Uploads" columns={uploadColumns} rows={rows} rowId={({ id }) => id} />
              <MoreRows
                shown={rows.length}
                total={total}
                isPending={query.isFetchingNextPage}
                onMore={() => void query.fetchNextPage()}
              />
            </>
          )
        }
      </Loaded>
    </Panel>
  );
}

/** Columns of a list of uploads. */
const uploadColumns: readonly Column<Upload>[] = [
  column('received', 'Received', {
    width: '13rem',
    cell: ({ received_at }) => <ExactTime at={received_at} />,
    sortBy: ({ received_at }) => Date.parse(received_at),
  }),
  column('state', 'State', {
    width: '9rem',
    cell: ({ state }) => (
      <Badge tone={uploadWords[state].tone} title={uploadWords[state].meaning}>
        {uploadWords[state].words}
      </Badge>
    ),
    sortBy: ({ state }) => state,
  }),
  column('outcome', 'Outcome', { width: '30rem', cell: (upload) => <Outcome upload={upload} /> }),
  column('door', 'By', {
    width: '8rem',
    from: 'medium',
    cell: ({ door }) => modeWords[door],
    sortBy: ({ door }) => door,
  }),
];

function Outcome({ upload }: { readonly upload: Upload }) {
  const { state, errors, notes, error_code, refusals, snapshot_id } = upload;
  if (errors.length > 0 || error_code !== null) {
    return (
      <span className={`${styles['words']} ${styles['tight']}`}>
        {error_code !== null && <strong>{codeInWords(error_code)}</strong>}
        {refusals > 0 && (
          <span>{refusals === 1 ? '1 upload was refused' : `${refusals} uploads were refused`}</span>
        )}
        <LineErrors errors={errors} />
      </span>
    );
  }
  if (snapshot_id !== null) {
    return (
      <span className={`${styles['words']} ${styles['tight']}`}>
        <HostLink search={{ tab: 'history' }}>Snapshot</HostLink>
        <LineErrors errors={notes} />
      </span>
    );
  }
  return uploadWords[state].meaning;
}

function codeInWords(code: string): string {
  const words = code.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
