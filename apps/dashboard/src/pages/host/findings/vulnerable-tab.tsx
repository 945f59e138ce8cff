import type { HostDetail, VulnerablePackage } from '@plimsoll/contract';
import { useApiWithHeaders } from '../../../api/queries.ts';
import { Panel } from '../../../design/page/page.tsx';
import { Loaded } from '../../../design/states.tsx';
import { uncountedInWords } from '../../../words/finding-words.ts';
import { isOverdue } from '../../../words/host-due.tsx';
import { DueLimit } from '../../../words/kev-limit.tsx';
import styles from '../host.module.css';
import { useHostSearch } from '../use-host-search.ts';
import { FindingFilters } from './finding-filters.tsx';
import { FindingCounts, MayBeMore } from './finding-totals.tsx';
import { FindingsList } from './findings-list.tsx';
import { KernelCompanions } from './kernel-companions.tsx';
import { NoFindings } from './no-findings.tsx';
import { NothingListedThen, PastNotice } from './past-findings.tsx';
import { findingId } from './why-button.tsx';
import { WhyDrawer } from './why-drawer.tsx';

type Severity = VulnerablePackage['severity'];

/** The installed packages with open advisories, worst first. */
export function VulnerableTab({ host }: { readonly host: HostDetail }) {
  const [{ severity, fix, negligible, exploited, overdue, waived, package: explained, at, known }, change] =
    useHostSearch();
  const isKnownNow = known === 'now';
  const query = useApiWithHeaders('/hosts/{id}/packages/vulnerable', {
    params: { id: host.id },
    query: {
      severity: severity as Severity | undefined, // the server refuses other values
      include_unfixed: fix === undefined ? undefined : 'true',
      include_hidden: negligible,
      include_companions: 'true',
      include_waived: waived === undefined ? undefined : 'true',
      at,
      known: at === undefined ? undefined : isKnownNow ? 'now' : 'then',
    },
  });
  const found = query.data?.rows;
  const isWanted = (row: VulnerablePackage) =>
    (fix !== 'unfixed' || row.fixed_version === null) &&
    (exploited !== 'true' || row.known_exploited) &&
    (waived !== 'only' || row.waiver !== undefined) &&
    (overdue !== 'true' || isOverdue(row));
  return (
    <div className={styles['stack']}>
      {at === undefined ? (
        <>
          <FindingCounts host={host} />
          <MayBeMore host={host} />
        </>
      ) : (
        <PastNotice at={at} isKnownNow={isKnownNow} headers={query.data?.headers} />
      )}
      <Panel title="Vulnerable packages" actions={<FindingFilters />} flush>
        {at === undefined && (
          <DueLimit className={styles['padded']} isAboutExploited={exploited === 'true'} />
        )}
        <Loaded query={query} what="Loading the findings">
          {({ rows: all }) => {
            const rows = all.filter((row) => isWanted(row) && row.moves_with_kernel !== true);
            if (rows.length === 0)
              return at === undefined ? <NoFindings host={host} /> : <NothingListedThen />;
            // A past time has no counts that a row could be missing in.
            const uncounted = at === undefined ? uncountedInWords(rows) : null;
            return (
              <>
                {uncounted !== null && <p className={styles['padded']}>{uncounted}</p>}
                <FindingsList key={`${at} ${known}`} host={host} rows={rows} isPast={at !== undefined} />
              </>
            );
          }}
        </Loaded>
      </Panel>
      <KernelCompanions
        rows={(found ?? []).filter((row) => isWanted(row) && row.moves_with_kernel === true)}
      />
      <WhyDrawer
        host={host}
        isPast={at !== undefined}
        finding={found?.find((row) => findingId(row) === explained)}
        onClose={() => change({ package: '' })}
      />
    </div>
  );
}
