import type { HostDetail, VulnerablePackage } from '@plimsoll/contract';
import { useApi } from '../../../api/queries.ts';
import { Notice } from '../../../design/notice.tsx';
import { Panel } from '../../../design/page/page.tsx';
import { Loaded } from '../../../design/states.tsx';
import { ExactTime } from '../../../design/time/time.tsx';
import { isOverdue } from '../../../words/host-due.tsx';
import styles from '../host.module.css';
import { HostLink } from '../host-link.tsx';
import { useHostSearch } from '../use-host-search.ts';
import { FindingFilters } from './finding-filters.tsx';
import { FindingCounts, MayBeMore } from './finding-totals.tsx';
import { FindingsList } from './findings-list.tsx';
import { KernelCompanions } from './kernel-companions.tsx';
import { NoFindings } from './no-findings.tsx';
import { findingId } from './why-button.tsx';
import { WhyDrawer } from './why-drawer.tsx';

type Severity = VulnerablePackage['severity'];

/** The installed packages with open advisories, worst first. */
export function VulnerableTab({ host }: { readonly host: HostDetail }) {
  const [{ severity, fix, negligible, exploited, overdue, waived, package: explained, at }, change] =
    useHostSearch();
  const query = useApi('/hosts/{id}/packages/vulnerable', {
    params: { id: host.id },
    query: {
      severity: severity as Severity | undefined, // the server refuses other values
      include_unfixed: fix === undefined ? undefined : 'true',
      include_hidden: negligible,
      include_companions: 'true',
      include_waived: waived === undefined ? undefined : 'true',
      at,
    },
  });
  const isWanted = (row: VulnerablePackage) =>
    (fix !== 'unfixed' || row.fixed_version === null) &&
    (exploited !== 'true' || row.known_exploited) &&
    (waived !== 'only' || row.waiver !== undefined) &&
    (overdue !== 'true' || isOverdue(row));
  return (
    <div className={styles['stack']}>
      {at === undefined ? <FindingCounts host={host} /> : <PastNotice at={at} />}
      <MayBeMore host={host} />
      <Panel title="Vulnerable packages" actions={<FindingFilters />} flush>
        <Loaded query={query} what="Loading the findings">
          {(all) => {
            const rows = all.filter((row) => isWanted(row) && row.moves_with_kernel !== true);
            if (rows.length === 0) return <NoFindings host={host} />;
            return <FindingsList key={at ?? ''} host={host} rows={rows} isPast={at !== undefined} />;
          }}
        </Loaded>
      </Panel>
      <KernelCompanions
        rows={(query.data ?? []).filter((row) => isWanted(row) && row.moves_with_kernel === true)}
      />
      <WhyDrawer
        host={host}
        isPast={at !== undefined}
        finding={query.data?.find((row) => findingId(row) === explained)}
        onClose={() => change({ package: '' })}
      />
    </div>
  );
}

/** Says that the list shows a past snapshot. */
function PastNotice({ at }: { readonly at: string }) {
  const isTime = !Number.isNaN(Date.parse(at));
  return (
    <Notice tone="neutral">
      <p>
        Packages installed at {isTime ? <ExactTime at={at} /> : 'that time'}, checked against today's
        advisories. <HostLink search={{ tab: 'vulnerable' }}>Show current findings</HostLink>
      </p>
    </Notice>
  );
}
