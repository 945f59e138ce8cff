import panel from '../../../design/page/page.module.css';
import { Failed, Loading } from '../../../design/states.tsx';
import { DueLimit } from '../../../words/kev-limit.tsx';
import type { HostQuery } from '../host-query.ts';
import styles from '../hosts.module.css';
import { HostsTable } from './hosts-table.tsx';
import { NoHosts } from './no-hosts.tsx';
import { SelectionContext, useNewSelection } from './selection.ts';
import { SelectionBar } from './selection-bar.tsx';
import { useHostWindows } from './use-host-windows.ts';

/** The number of hosts, the selection, and the hosts. */
export function HostsList({ query }: { readonly query: HostQuery }) {
  const { sort: _sort, ...filters } = query;
  const windows = useHostWindows(query);
  const { total, error, isStale } = windows;
  const selection = useNewSelection(JSON.stringify(filters), windows.whole);
  return (
    <SelectionContext value={selection}>
      <section className={panel['panel']} aria-label="List of hosts">
        {error !== null && (total === undefined || isStale) ? (
          <Failed error={error} retry={windows.retry} />
        ) : total === undefined ? (
          <Loading what="Loading the hosts" />
        ) : (
          <>
            <DueLimit className={styles['limit']} isAboutExploited={filters.known_exploited !== undefined} />
            <SelectionBar total={total} filters={filters} />
            {total === 0 ? (
              <NoHosts isFiltered={Object.keys(filters).length > 0} />
            ) : (
              <HostsTable windows={windows} total={total} list={JSON.stringify(query)} />
            )}
          </>
        )}
      </section>
    </SelectionContext>
  );
}
