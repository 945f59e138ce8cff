import type { HostDetail, VulnerablePackage } from '@plimsoll/contract';
import { createContext, useContext } from 'react';
import { useApiWithHeaders } from '../../../api/queries.ts';
import { useMay } from '../../../api/session.ts';
import { Button } from '../../../design/button.tsx';
import { amountInWords } from '../../../design/number-words.ts';
import { Panel } from '../../../design/page/page.tsx';
import { Loaded } from '../../../design/states.tsx';
import { LongTable } from '../../../design/table/long-table.tsx';
import { SelectRow, selectColumnOf } from '../../../design/table/select-row.tsx';
import { noSelection, type Selection, useRowSelection } from '../../../design/table/selection.ts';
import type { Column } from '../../../design/table/table-columns.ts';
import { uncountedInWords } from '../../../words/finding-words.ts';
import { isOverdue } from '../../../words/host-due.tsx';
import { DueLimit } from '../../../words/kev-limit.tsx';
import { WaiveButton } from '../../waivers/new/waive-button.tsx';
import styles from '../host.module.css';
import { useHostSearch } from '../host-search.ts';
import { findingColumns } from './finding-columns.tsx';
import { FindingFilters } from './finding-filters.tsx';
import { subjectOfFindings } from './finding-subject.ts';
import { FindingCounts, MayBeMore } from './finding-totals.tsx';
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

/** The packages that move with the kernel and have open advisories; other tools list them as findings. */
function KernelCompanions({ rows }: { readonly rows: readonly VulnerablePackage[] }) {
  if (rows.length === 0) return null;
  return (
    <Panel title="Packages that move with the kernel">
      <p className={styles['muted']}>
        These are built from the source of the kernel. An update of the kernel updates them, and the findings
        of the kernel cover them. They are in no count; other tools list them as vulnerable.
      </p>
      <LongTable
        label="Packages that move with the kernel"
        columns={findingColumns}
        rows={rows}
        rowId={findingId}
      />
    </Panel>
  );
}

const mostSelected = 200;
const SelectionContext = createContext<Selection<VulnerablePackage>>(noSelection());

interface FindingsListProps {
  readonly host: HostDetail;
  readonly rows: readonly VulnerablePackage[];
  /** Whether the list shows a past time: then nothing can be accepted from it. */
  readonly isPast: boolean;
}

/** The findings of a host; operators can select some and accept their risk. */
function FindingsList({ host, rows, isPast }: FindingsListProps) {
  const selection = useRowSelection<VulnerablePackage>(host.id, findingId, mostSelected);
  const mayAccept = useMay('operator') && !isPast;
  const chosen = rows.filter((row) => selection.has(findingId(row)));
  return (
    <SelectionContext value={selection}>
      {mayAccept && chosen.length > 0 && (
        <div className={styles['chosen']}>
          <span role="status">{amountInWords(chosen.length, 'finding', 'findings')} selected</span>
          <WaiveButton subject={subjectOfFindings(host, chosen)} onSaved={() => selection.set([])} />
          <Button look="quiet" onPress={() => selection.set([])}>
            Clear selection
          </Button>
        </div>
      )}
      <LongTable
        label="Vulnerable packages"
        columns={mayAccept ? selectableColumns : findingColumns}
        rows={rows}
        rowId={findingId}
      />
    </SelectionContext>
  );
}

const selectableColumns: readonly Column<VulnerablePackage>[] = [
  selectColumnOf((row) => <SelectFinding row={row} />),
  ...findingColumns,
];

function SelectFinding({ row }: { readonly row: VulnerablePackage }) {
  return <SelectRow selection={useContext(SelectionContext)} row={row} id={findingId(row)} name={row.name} />;
}
