import type { AdvisoryDetail, AffectedHost } from '@plimsoll/contract';
import { Link, useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { RowsSoFar } from '../../api/pages.ts';
import { Select } from '../../design/form/fields.tsx';
import { Notice } from '../../design/notice.tsx';
import { groupedNumber, hostsInWords } from '../../design/number-words.ts';
import { Panel } from '../../design/page/page.tsx';
import { Empty, Loaded } from '../../design/states.tsx';
import { EndlessTable, type PagedQuery } from '../../design/table/endless-table.tsx';
import { scrollIfNamed } from '../../shell/scroll-if-named.ts';
import styles from './advisories.module.css';
import { affectedHostColumns } from './affected-host-columns.tsx';
import { type FixFilter, filterHosts, fixFilterIn, fixFilters } from './fix-filter.ts';
import { NoneAffected } from './none-affected.tsx';
import { UnjudgedHosts, UnjudgedLink, unjudged } from './unjudged-hosts.tsx';

interface AffectedHostsProps {
  readonly id: string;
  readonly counts: AdvisoryDetail['affected_hosts'];
  /** Number of hosts that may be affected and cannot be checked. */
  readonly unknown: number;
  /** Whether a vendor rates it negligible for some package. */
  readonly isNegligible: boolean;
  /** Number of its CVEs. */
  readonly cves: number;
  readonly query: PagedQuery & {
    readonly data: RowsSoFar<AffectedHost> | undefined;
    readonly refetch: () => unknown;
  };
  /** Fix state in the address. */
  readonly fix: string | undefined;
}

/** Hosts with a finding of the advisory, and the state of their fix. */
export function AffectedHosts({ id, counts, unknown, isNegligible, cves, query, fix }: AffectedHostsProps) {
  const isUnjudged = fix === unjudged;
  const filter = fixFilterIn(fix);
  return (
    <Panel title="Affected hosts" flush>
      {counts.total === 0 && !isUnjudged ? (
        <NoneAffected unknown={unknown} isNegligible={isNegligible} cves={cves} />
      ) : (
        <>
          <Totals counts={counts} unknown={unknown} filter={isUnjudged ? unjudged : filter} />
          {unknown > 0 && (
            <div className={styles['advice']}>
              <Notice tone="neutral">
                <UnjudgedLink>{hostsInWords(unknown)}</UnjudgedLink> cannot be checked for this advisory, or
                not completely.
              </Notice>
            </div>
          )}
          {isUnjudged ? (
            <UnjudgedHosts id={id} />
          ) : (
            <Loaded query={query} what="Reading the hosts">
              {({ rows }) => <HostTable rows={rows} query={query} filter={filter} />}
            </Loaded>
          )}
        </>
      )}
    </Panel>
  );
}

interface TotalsProps extends Pick<AffectedHostsProps, 'counts' | 'unknown'> {
  readonly filter: FixFilter | typeof unjudged;
}

function Totals({ counts, unknown, filter }: TotalsProps) {
  const navigate = useNavigate();
  const { total, with_fix } = counts;
  const totals = [
    ['all', total, total === 1 ? 'host' : 'hosts'],
    ['with_fix', with_fix, 'with a fix'],
    ['without_fix', total - with_fix, 'without a fix'],
    ...(unknown > 0 ? [[unjudged, unknown, 'not known'] as const] : []),
  ] as const;
  return (
    <div className={styles['counts']} id="hosts" ref={scrollIfNamed}>
      {totals.map(([id, count, words]) => (
        <Link
          key={id}
          to="."
          search={id === 'all' ? {} : { fix_state: id }}
          replace
          resetScroll={false}
          className={styles['count'] ?? ''}
          activeOptions={{ exact: true, includeSearch: true }}
          activeProps={{}}
          aria-current={filter === id}
        >
          <strong>{groupedNumber(count)}</strong> {words}
        </Link>
      ))}
      <Select
        label="Fix state"
        hideLabel
        value={filter === unjudged ? 'all' : filter}
        onChange={(state) =>
          void navigate({
            to: '.',
            search: state === 'all' ? {} : { fix_state: state },
            replace: true,
            resetScroll: false,
          })
        }
        options={fixFilters}
      />
    </div>
  );
}

interface HostTableProps {
  readonly rows: readonly AffectedHost[];
  readonly query: PagedQuery;
  readonly filter: FixFilter;
}

function HostTable({ rows, query, filter }: HostTableProps) {
  const shown = useMemo(() => filterHosts(rows, filter), [rows, filter]);
  if (shown.length === 0 && !query.hasNextPage) {
    return <Empty title="No matching host">Choose another fix state.</Empty>;
  }
  return (
    <EndlessTable
      label="Affected hosts"
      columns={affectedHostColumns}
      rows={shown}
      rowId={({ host_id }) => host_id}
      query={query}
    />
  );
}
