import type { Disagreement, HostDetail } from '@plimsoll/contract';
import { useApi } from '../../../api/queries.ts';
import { Panel } from '../../../design/page/page.tsx';
import { Loaded } from '../../../design/states.tsx';
import { LongTable } from '../../../design/table/long-table.tsx';
import { type Column, column } from '../../../design/table/table-columns.ts';
import { areFindingsKnown, blindingGaps, reasonsInWords } from '../../../words/knowledge.ts';
import { AdvisoryLinks } from '../advisory-links.tsx';
import styles from '../host.module.css';
import { nameColumn, versionsColumn } from '../shared-columns.tsx';

const reasonWords: Readonly<Record<Disagreement['plimsoll']['reason'], string>> = {
  not_affected: 'The update closes no known advisory.',
  no_verdict: 'This package cannot be checked.',
  candidate_not_comparable: 'The offered version cannot be compared.',
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
  column('manager', 'Package manager', {
    width: '14rem',
    cell: ({ package_manager: { is_security, advisory_ids } }) => (
      <span className={styles['text']}>
        {is_security ? 'A security update.' : 'Not a security update.'}
        {advisory_ids.length > 0 && <AdvisoryLinks ids={advisory_ids} />}
      </span>
    ),
  }),
  column('plimsoll', 'Advisories', {
    width: '16rem',
    cell: ({ plimsoll: { reason, advisory_ids } }) => (
      <span className={styles['text']}>
        {reasonWords[reason]}
        {advisory_ids.length > 0 && <AdvisoryLinks ids={advisory_ids} />}
      </span>
    ),
  }),
];

/** Updates about which the host's package manager and the advisories disagree. */
export function Disagreements({ host }: { readonly host: HostDetail }) {
  const query = useApi('/hosts/{id}/disagreements', { params: { id: host.id } });
  return (
    <Panel title="Disagreements of package manager and advisories" flush>
      {!areFindingsKnown(host) && (
        <p className={styles['padded']}>
          Advisories may be missing, so that some of these are none:{' '}
          {reasonsInWords(host, blindingGaps, Date.now())}.
        </p>
      )}
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
