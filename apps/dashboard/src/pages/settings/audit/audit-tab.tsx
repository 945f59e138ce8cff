import type { AuditEvent } from '@plimsoll/contract';
import { RotateCw, ScrollText } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useApiPages } from '../../../api/pages.ts';
import { Button } from '../../../design/button.tsx';
import { amountInWords } from '../../../design/number-words.ts';
import { Panel } from '../../../design/page/page.tsx';
import { Empty, Loaded } from '../../../design/states.tsx';
import { EndlessTable } from '../../../design/table/endless-table.tsx';
import styles from '../settings.module.css';
import { type SettingsSearch, useSettingsSearch } from '../settings-search.ts';
import { auditColumns } from './audit-columns.tsx';
import { dayStart } from './audit-days.ts';
import { AuditDrawer } from './audit-drawer.tsx';
import { AuditFilters } from './audit-filters.tsx';

const pageRows = 100;

/** The audit log, newest event first. */
export function AuditTab() {
  const [search] = useSettingsSearch();
  const [opened, setOpened] = useState<AuditEvent | null>(null);
  const query = useApiPages('/audit-events', pageRows, { query: filtersOf(search) });
  const columns = useMemo(() => auditColumns(setOpened), []);
  const again = (
    <Button isPending={query.isFetching} onPress={() => void query.refetch()}>
      <RotateCw aria-hidden /> Refresh
    </Button>
  );
  return (
    <div className={styles['stack']}>
      <AuditFilters />
      <Panel
        title={query.data === undefined ? 'Events' : amountInWords(query.data.total, 'event', 'events')}
        flush
        actions={again}
      >
        <Loaded query={query} what="Loading the audit log">
          {({ rows }) =>
            rows.length === 0 ? (
              <Empty title="No matching events" icon={ScrollText}>
                Clear a filter or choose other days. Old entries are deleted after the retention time.
              </Empty>
            ) : (
              <EndlessTable
                label="Audit log"
                columns={columns}
                rows={rows}
                rowId={({ id }) => id}
                query={query}
              />
            )
          }
        </Loaded>
      </Panel>
      {opened !== null && <AuditDrawer event={opened} onClose={() => setOpened(null)} />}
    </div>
  );
}

function filtersOf({ actor, action, target, from, to }: SettingsSearch) {
  const [first, end] = [dayStart(from), dayStart(to, 1)];
  return {
    ...(actor !== undefined && { actor }),
    ...(action !== undefined && { action }),
    ...(target !== undefined && { target_id: target }),
    ...(first !== undefined && { from: first }),
    ...(end !== undefined && { to: end }),
  };
}
