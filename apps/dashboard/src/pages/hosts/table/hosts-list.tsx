import type { Host } from '@plimsoll/contract';
import type { SortingState } from '@tanstack/react-table';
import { messageOf } from '../../../api/problem.ts';
import { useMay } from '../../../api/session.ts';
import { Button } from '../../../design/button.tsx';
import { Notice } from '../../../design/notice.tsx';
import panel from '../../../design/page/page.module.css';
import { Failed, Loading } from '../../../design/states.tsx';
import { VirtualTable } from '../../../design/table/virtual-table.tsx';
import { DueLimit } from '../../../words/kev-limit.tsx';
import { defaultSort, type HostQuery } from '../host-query.ts';
import styles from '../hosts.module.css';
import { useHostsSearch } from '../hosts-search.ts';
import { columnsFor } from './host-columns.tsx';
import { NoHosts } from './no-hosts.tsx';
import { SelectionContext, useNewSelection, useSelection } from './selection.ts';
import { SelectionBar } from './selection-bar.tsx';
import { type HostWindows, useHostWindows } from './use-host-windows.ts';

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

/** Columns that sort in ascending order first. */
const ascendingFirst = ['display_name', 'os_name', 'status'];

interface HostsTableProps {
  readonly windows: HostWindows;
  readonly total: number;
  /** Identity of the list. */
  readonly list: string;
}

/** The hosts; only visible rows are in the document. */
function HostsTable({ windows, total, list }: HostsTableProps) {
  const [search, change] = useHostsSearch();
  const { sort = defaultSort } = search;
  const isOperator = useMay('operator');
  const { toRead, toSelect } = columnsFor(search);
  const { has } = useSelection();
  const sorting: SortingState = [{ id: sort.replace(/^-/, ''), desc: sort.startsWith('-') }];
  const sortBy = ([next]: SortingState) => {
    if (next === undefined) return;
    const isNew = next.id !== sorting[0]?.id;
    const isDescending = isNew ? !ascendingFirst.includes(next.id) : next.desc;
    change({ sort: `${isDescending ? '-' : ''}${next.id}` });
  };
  return (
    <>
      {windows.error !== null && (
        <Notice tone="critical">
          <span className={styles['buttons']}>
            Some hosts could not be read: {messageOf(windows.error)}
            <Button onPress={windows.retry}>Try again</Button>
          </span>
        </Notice>
      )}
      <VirtualTable<Host>
        label="Hosts"
        columns={isOperator ? toSelect : toRead}
        count={total}
        rowAt={windows.hostAt}
        rowId={({ id }) => id}
        onSeen={windows.onSeen}
        sorting={sorting}
        onSort={sortBy}
        {...(isOperator && { isSelected: ({ id }: Host) => has(id) })}
        list={list}
        isBusy={windows.isStale}
        hasTwoLines
      />
    </>
  );
}
