import type { Feed } from '@plimsoll/contract';
import { useQuery } from '@tanstack/react-query';
import { Rss } from 'lucide-react';
import { useMemo } from 'react';
import { apiQuery } from '../../../api/queries.ts';
import { useMay, useSession } from '../../../api/session.ts';
import { Panel } from '../../../design/page/page.tsx';
import { Empty, Loaded } from '../../../design/states.tsx';
import { DataTable } from '../../../design/table/data-table.tsx';
import styles from '../settings.module.css';
import { feedColumns, feedColumnsOfOperators } from './feed-columns.tsx';
import { ImportPanel } from './import-panel.tsx';
import { OriginRulesPanel } from './origin-rules-panel.tsx';

/** Milliseconds between two reads while a sync runs: workers store their progress as often. */
const pollMs = 3_000;

/** The feeds, and how fresh their data is. */
export function FeedsTab() {
  const feeds = useQuery({
    ...apiQuery('/feeds'),
    // Events tell when a sync begins and ends; its numbers have none.
    refetchInterval: ({ state }) => (state.data?.some(({ sync }) => sync !== null) ? pollMs : false),
  });
  const mayImport = useMay('admin');
  return (
    <div className={styles['stack']}>
      <Panel title="Feeds" flush>
        <Loaded query={feeds} what="Loading the feeds">
          {(rows) =>
            rows.length === 0 ? (
              <Empty title="No feeds yet" icon={Rss}>
                Feeds are listed after the advisory worker has started. See “System” for its state.
              </Empty>
            ) : (
              <FeedTable feeds={rows} />
            )
          }
        </Loaded>
      </Panel>
      {mayImport && <ImportPanel />}
      {mayImport && <OriginRulesPanel />}
    </div>
  );
}

function FeedTable({ feeds }: { readonly feeds: readonly Feed[] }) {
  // Feeds are the business of users who see all hosts.
  const isOperator = useMay('operator');
  const isLimited = (useSession()?.user.tags ?? null) !== null;
  // Needed feeds with a problem first, then other failed ones, then feeds with data.
  const rows = useMemo(() => [...feeds].sort((one, other) => rank(one) - rank(other)), [feeds]);
  return (
    <DataTable
      label="Feeds"
      columns={isOperator && !isLimited ? feedColumnsOfOperators : feedColumns}
      rows={rows}
      rowId={({ id }) => id}
    />
  );
}

function rank({ state, freshness, needed_by_hosts, import_only }: Feed): number {
  if (needed_by_hosts > 0 && (state === 'failed' || freshness !== 'current')) return 0;
  if (state === 'failed') return 1;
  if (freshness !== 'never_synced') return 2;
  return import_only ? 4 : 3;
}
