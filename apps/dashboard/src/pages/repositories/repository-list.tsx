import type { FleetRepository, FleetSummary } from '@plimsoll/contract';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { CircleHelp, ServerOff } from 'lucide-react';
import type { ReactNode } from 'react';
import { useApiPages } from '../../api/pages.ts';
import { useApi } from '../../api/queries.ts';
import { Button } from '../../design/button.tsx';
import { Checkbox } from '../../design/form/fields.tsx';
import { Notice } from '../../design/notice.tsx';
import { amountInWords, hostsInWords } from '../../design/number-words.ts';
import { Empty, Loaded } from '../../design/states.tsx';
import { EndlessTable } from '../../design/table/endless-table.tsx';
import { areRepositoriesKnown } from '../../words/fleet-knowledge.ts';
import { HostCount } from '../fleet/host-count.tsx';
import { fleetRepositoryColumns } from './fleet-repository-columns.tsx';
import styles from './repositories.module.css';

const pageRows = 100;

/** All repositories of the fleet, or only outdated ones, depending on the address. */
export function RepositoryList() {
  const { outdated } = useSearch({ from: '/signed-in/repositories' });
  const navigate = useNavigate({ from: '/repositories' });
  const isOutdatedOnly = outdated === 'true';
  const query = useApiPages('/repositories', pageRows, {
    query: isOutdatedOnly ? { outdated: 'true' } : {},
  });
  const show = (outdatedOnly: boolean) =>
    void navigate({ search: outdatedOnly ? { outdated: 'true' } : {}, replace: true, resetScroll: false });
  return (
    <>
      <div className={styles['head']}>
        <Checkbox isSelected={isOutdatedOnly} onChange={show}>
          Only outdated
        </Checkbox>
        <OutdatedHosts />
      </div>
      <Loaded query={query} what="Reading the repositories">
        {({ rows, total }) =>
          total === 0 ? (
            isOutdatedOnly ? (
              <NoneOutdated onShowAll={() => show(false)} />
            ) : (
              <NoRepositories />
            )
          ) : (
            <>
              {!isOutdatedOnly && !query.hasNextPage && rows.every(hasNoDate) && <NoDatesNotice />}
              <p className={`${styles['notice']} ${styles['total']}`} role="status">
                {amountInWords(total, 'repository', 'repositories')}
              </p>
              <EndlessTable
                label="Repositories"
                columns={fleetRepositoryColumns}
                rows={rows}
                rowId={({ id }) => String(id)}
                query={query}
              />
            </>
          )
        }
      </Loaded>
    </>
  );
}

function NoDatesNotice() {
  return (
    <div className={styles['notice']}>
      <Notice tone="neutral">
        <NoDatesYet />
      </Notice>
    </div>
  );
}

function hasNoDate({ newest_known_at, oldest_published_at }: FleetRepository): boolean {
  return newest_known_at === null && oldest_published_at === null;
}

/**
 * Numbers of approved hosts with an outdated repository and of hosts where that is not known, with links. The list of
 * hosts has no filter by repository, so the rows of the table have no such links.
 */
function OutdatedHosts() {
  const { data: fleet } = useApi('/fleet/summary');
  if (fleet === undefined || fleet.hosts === 0) return null;
  const { outdated, unknown } = fleet.by_repositories_state;
  return (
    <>
      <HostCount
        count={outdated}
        list={{ repositories_state: 'outdated' }}
        isKnown={areRepositoriesKnown(fleet)}
      >
        {outdated === 1 ? 'host has' : 'hosts have'} an outdated repository
      </HostCount>
      {unknown > 0 && (
        <HostCount count={unknown} list={{ repositories_state: 'unknown' }}>
          not known
        </HostCount>
      )}
    </>
  );
}

/** Text for an empty list of repositories: nothing is known, so it must not look like good news. */
function NoRepositories() {
  const { data: fleet } = useApi('/fleet/summary');
  if (fleet?.hosts === 0) return <Empty title="No approved hosts" icon={ServerOff} />;
  return (
    <Empty title="No repositories are known yet" icon={CircleHelp}>
      <NoDatesYet />
    </Empty>
  );
}

/** Text for zero outdated repositories; says on how many hosts their state is not known. */
function NoneOutdated({ onShowAll }: { readonly onShowAll: () => void }): ReactNode {
  const { data: fleet } = useApi('/fleet/summary');
  return (
    <Empty
      title="No repository is known to be outdated"
      icon={CircleHelp}
      action={<Button onPress={onShowAll}>Show all repositories</Button>}
    >
      {fleet !== undefined && knowledgeOf(fleet)}
    </Empty>
  );
}

/** Why the dates of repositories are not known. */
function NoDatesYet(): ReactNode {
  return 'No approved host has reported the dates of its repositories. Collectors before 0.2.0 do not report them, so outdated repositories cannot be found yet.';
}

function knowledgeOf({ hosts, by_gap, by_repositories_state: { unknown } }: FleetSummary): string {
  if (hosts === 0) return 'No host is approved.';
  if (unknown > 0) return `Whether the repositories of ${hostsInWords(unknown)} are current is not known.`;
  return by_gap.report_outdated > 0
    ? `The repositories of every approved host were compared; the last report of ${hostsInWords(by_gap.report_outdated)} is old.`
    : 'The repositories of every approved host were compared.';
}
