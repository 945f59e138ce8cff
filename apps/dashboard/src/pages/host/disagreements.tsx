import type { Disagreement, HostDetail } from '@plimsoll/contract';
import { useApi } from '../../api/queries.ts';
import { LongTable } from '../../design/long-table.tsx';
import { Panel } from '../../design/page.tsx';
import { Loaded } from '../../design/states.tsx';
import type { Column } from '../../design/table-columns.ts';
import { AdvisoryLinks } from './advisory-links.tsx';
import styles from './host.module.css';
import { nameColumn, versionsColumn } from './shared-columns.tsx';

const reasonWords: Readonly<Record<Disagreement['plimsoll']['reason'], string>> = {
  not_affected: 'No advisory that we know is closed by this update.',
  no_verdict: 'Nothing can be said of this package.',
  candidate_not_comparable: 'Nothing can be said of the version offered.',
  affected: 'The update closes a vulnerability.',
};

const columns: readonly Column<Disagreement>[] = [
  nameColumn(),
  {
    ...versionsColumn('Installed → offered', (row) => ({
      from: row.installed_version,
      to: row.candidate_version,
    })),
    from: 'medium',
  },
  {
    id: 'manager',
    header: 'The package manager says',
    width: '14rem',
    cell: ({ package_manager: { is_security, advisory_ids } }) => (
      <span className={styles['text']}>
        {is_security ? 'A security update.' : 'No security update.'}
        {advisory_ids.length > 0 && <AdvisoryLinks ids={advisory_ids} />}
      </span>
    ),
  },
  {
    id: 'plimsoll',
    header: 'The advisories say',
    width: '16rem',
    cell: ({ plimsoll: { reason, advisory_ids } }) => (
      <span className={styles['text']}>
        {reasonWords[reason]}
        {advisory_ids.length > 0 && <AdvisoryLinks ids={advisory_ids} />}
      </span>
    ),
  },
];

/** Updates on which the host's package manager and the advisories say different things. */
export function Disagreements({ host }: { readonly host: HostDetail }) {
  const query = useApi('/hosts/{id}/disagreements', { params: { id: host.id } });
  return (
    <Panel title="Where package manager and advisories disagree" flush>
      <Loaded query={query} what="Loading the disagreements">
        {(rows) => (
          <LongTable
            label="Disagreements"
            columns={columns}
            rows={rows}
            rowId={({ kind, name, architecture }) => `${kind}:${name}:${architecture}`}
          />
        )}
      </Loaded>
    </Panel>
  );
}
