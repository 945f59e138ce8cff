import type { HostDetail } from '@plimsoll/contract';
import { useApi } from '../../../api/queries.ts';
import { Panel } from '../../../design/page/page.tsx';
import { LongTable } from '../../../design/table/long-table.tsx';
import styles from '../host.module.css';
import { updateColumns, updateId } from './update-columns.tsx';

/** Offered versions that are lower than the installed ones; renders nothing without any. */
export function Downgrades({ host }: { readonly host: HostDetail }) {
  const { data: rows = [] } = useApi('/hosts/{id}/packages/upgradable', {
    params: { id: host.id },
    query: { downgrades: 'true' },
  });
  if (rows.length === 0) return null;
  return (
    <Panel title="Downgrades offered" flush>
      <p className={styles['muted']}>
        The repositories offer a lower version than the installed one. These are no updates and are not
        counted.
      </p>
      <LongTable label="Downgrades offered" columns={updateColumns} rows={rows} rowId={updateId} />
    </Panel>
  );
}
