import { severityOrder } from '@plimsoll/words';
import { useApiPages } from '../../api/pages.ts';
import { useApi } from '../../api/queries.ts';
import { Button, LinkButton } from '../../design/button.tsx';
import { amountInWords } from '../../design/number-words.ts';
import { Empty, Loaded } from '../../design/states.tsx';
import { EndlessTable } from '../../design/table/endless-table.tsx';
import { printable } from '../../design/text/printable.ts';
import { KevLimit } from '../../words/kev-limit.tsx';
import { negligibleLeftOut } from '../../words/no-finding-words.ts';
import { HostCount } from '../fleet/host-count.tsx';
import styles from './advisories.module.css';
import { type AdvisoriesSearch, useAdvisoriesSearch } from './advisories-search.ts';
import { advisoryColumns, advisoryRowId, affectingColumns } from './advisory-columns.tsx';
import { NoneAffecting } from './none-affected.tsx';

const pageRows = 100;
const sorts = ['-published_at', 'severity', '-affected_hosts'] as const;

/** The advisories that match the address. */
export function AdvisoryList() {
  const [search] = useAdvisoriesSearch();
  const query = useApiPages('/advisories', pageRows, { query: queryOf(search) });
  const affecting = search.affecting !== 'false';
  return (
    <>
      {search.exploited === 'true' && <KevLimit className={styles['limit']} />}
      <Loaded query={query} what="Reading the advisories">
        {({ rows, total }) => (
          <>
            <p className={styles['total']} role="status">
              {amountInWords(total, 'advisory', 'advisories')}
            </p>
            {affecting && total > 0 && <MoreMayAffect />}
            {total === 0 ? (
              <NoAdvisory />
            ) : (
              <EndlessTable
                label="Advisories"
                columns={affecting ? affectingColumns : advisoryColumns}
                rows={rows}
                rowId={advisoryRowId}
                query={query}
              />
            )}
          </>
        )}
      </Loaded>
    </>
  );
}

/** The number of hosts whose findings are not all known: more advisories may affect them. */
function MoreMayAffect() {
  const { data: fleet } = useApi('/fleet/summary');
  if (fleet === undefined || fleet.findings_unknown_hosts === 0) return null;
  return (
    <p className={styles['total']}>
      More may affect{' '}
      <HostCount count={fleet.findings_unknown_hosts} list={{ findings_known: 'false' }}>
        {fleet.findings_unknown_hosts === 1 ? 'host' : 'hosts'}
      </HostCount>{' '}
      whose findings are not all known.
    </p>
  );
}

/** Query of GET /advisories; drops values that the API does not know. */
function queryOf(search: AdvisoriesSearch) {
  const affecting = search.affecting !== 'false';
  const severity = severityOrder.find((known) => known === search.severity);
  const sort = affecting ? sorts.find((known) => known === search.sort) : undefined;
  return {
    ...(search.q !== undefined && { q: search.q }),
    ...(severity !== undefined && { severity }),
    ...(search.exploited === 'true' && { known_exploited: 'true' }),
    ...(search.release !== undefined && { release: search.release }),
    ...(search.feed !== undefined && { feed: search.feed }),
    ...(affecting && { affected: 'true' }),
    ...(sort !== undefined && { sort }),
  };
}

function NoAdvisory() {
  const [search] = useAdvisoriesSearch();
  const { affecting, sort: _order, ...filters } = search;
  const isFiltered = Object.keys(filters).length > 0;
  if (affecting !== 'false') return <NoneAffectingHosts q={search.q} isFiltered={isFiltered} />;
  if (isFiltered) return <NoMatch />;
  return (
    <Empty
      title="No advisories yet"
      action={
        <LinkButton to="/settings" search={{ tab: 'feeds' }}>
          Show the feeds
        </LinkButton>
      }
    >
      Advisories come from feeds, which are synced automatically. Without internet access, import their files.
    </Empty>
  );
}

interface NoneAffectingHostsProps {
  readonly q: string | undefined;
  readonly isFiltered: boolean;
}

function NoneAffectingHosts({ q, isFiltered }: NoneAffectingHostsProps) {
  const [, change] = useAdvisoriesSearch();
  const which =
    q !== undefined ? ` that matches “${printable(q, 60)}”` : isFiltered ? ' that matches the filters' : '';
  return (
    <NoneAffecting
      title={`No known advisory${which} affects your hosts${negligibleLeftOut}`}
      unsureTitle={`No advisory${which} is known to affect your hosts${negligibleLeftOut}`}
      isFiltered={isFiltered}
      action={
        <Button onPress={() => change({ affecting: 'false', sort: undefined })}>Search all advisories</Button>
      }
    />
  );
}

const noFilters = {
  q: undefined,
  severity: undefined,
  exploited: undefined,
  release: undefined,
  feed: undefined,
};

function NoMatch() {
  const [, change] = useAdvisoriesSearch();
  return (
    <Empty
      title="No matching advisory"
      action={<Button onPress={() => change(noFilters)}>Remove the filters</Button>}
    >
      Search by id, alias, CVE or words of the title.
    </Empty>
  );
}
