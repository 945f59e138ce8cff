import type { UnjudgedHost } from '@plimsoll/contract';
import { Link } from '@tanstack/react-router';
import { SearchX, ShieldCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { useApiPages } from '../../api/pages.ts';
import { useApi } from '../../api/queries.ts';
import { Empty, Loaded } from '../../design/states.tsx';
import { EndlessTable } from '../../design/table/endless-table.tsx';
import { type Column, column } from '../../design/table/table-columns.ts';
import { ForeignText } from '../../design/text/foreign-text.tsx';
import { whyJudged } from '../../words/knowledge.ts';
import { systemInWords } from '../../words/system-words.ts';
import styles from './advisories.module.css';
import { checkedInWords, isAllChecked } from './checked-words.ts';

/** What the address has in place of a fix state for the hosts that cannot be judged. */
export const unjudged = 'unjudged';

const hostRows = 100;

const columns: readonly Column<UnjudgedHost>[] = [
  column('host', 'Host', {
    width: 'clamp(6rem, 17vw, 13rem)',
    cell: ({ host_id, display_name }) => (
      <Link to="/hosts/$id" params={{ id: host_id }} search={{}} className={styles['id'] ?? ''}>
        <ForeignText text={display_name} oneLine />
      </Link>
    ),
  }),
  column('os', 'System', {
    width: '12rem',
    from: 'medium',
    cell: ({ os_name, os_version }) => <ForeignText text={systemInWords({ os_name, os_version })} oneLine />,
  }),
  column('reason', 'Why it is not known', { cell: (row) => whyJudged(row, 'advisory', Date.now()) }),
];

/** The hosts that an advisory could affect and that cannot be judged, with the reason of each. */
export function UnjudgedHosts({ id }: { readonly id: string }) {
  const query = useApiPages('/advisories/{id}/unknown-hosts', hostRows, { params: { id } });
  return (
    <Loaded query={query} what="Reading the hosts">
      {({ rows, total }) =>
        total === 0 ? (
          <NoneUnjudged />
        ) : (
          <EndlessTable
            label="Hosts that cannot be checked"
            columns={columns}
            rows={rows}
            rowId={({ host_id }) => host_id}
            query={query}
          />
        )
      }
    </Loaded>
  );
}

/** Text for an advisory without such hosts: calm only if all of them were checked completely. */
function NoneUnjudged() {
  const { data: fleet } = useApi('/fleet/summary');
  return (
    <Empty
      title="No host is known that cannot be checked"
      icon={fleet !== undefined && isAllChecked(fleet) ? ShieldCheck : SearchX}
    >
      {fleet !== undefined && checkedInWords(fleet, 0)}
    </Empty>
  );
}

/** Leads to these hosts on the page of the advisory. */
export function UnjudgedLink({ children }: { readonly children: ReactNode }) {
  return (
    <Link to="." search={{ fix_state: unjudged }} replace resetScroll={false}>
      {children}
    </Link>
  );
}
