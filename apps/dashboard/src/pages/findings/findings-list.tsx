import type { FindingGrouping, FleetFinding } from '@plimsoll/contract';
import { Link } from '@tanstack/react-router';
import { useApiPages } from '../../api/pages.ts';
import { useMay } from '../../api/session.ts';
import { Notice } from '../../design/notice.tsx';
import { amountInWords, hostsInWords } from '../../design/number-words.ts';
import { Loaded } from '../../design/states.tsx';
import { EndlessTable } from '../../design/table/endless-table.tsx';
import { useRowSelection } from '../../design/table/selection.ts';
import { DueLimit } from '../../words/kev-limit.tsx';
import { findingColumns } from './finding-columns.tsx';
import { findingQueryOf, groupingIn } from './finding-query.ts';
import styles from './findings.module.css';
import { type FindingsSearch, useFindingsSearch } from './findings-search.ts';
import { NoFindings } from './no-findings.tsx';
import { mostSelected, SelectedFindings, SelectionContext } from './selected-findings.tsx';

const pageRows = 100;
const nouns: Readonly<Record<FindingGrouping, readonly [one: string, many: string]>> = {
  advisory: ['open advisory', 'open advisories'],
  cve: ['open CVE', 'open CVEs'],
  package: ['source package with findings', 'source packages with findings'],
  host: ['host with findings', 'hosts with findings'],
};

const waivedNouns: Readonly<Record<FindingGrouping, readonly [one: string, many: string]>> = {
  advisory: ['advisory that is waived', 'advisories that are waived'],
  cve: ['CVE that is waived', 'CVEs that are waived'],
  package: ['source package with waived findings', 'source packages with waived findings'],
  host: ['host with waived findings', 'hosts with waived findings'],
};

function nounsOf(grouping: FindingGrouping, onlyWaived: boolean) {
  return (onlyWaived ? waivedNouns : nouns)[grouping];
}

interface HostsOfUnknownProps {
  readonly hosts: number;
  /** Whether these are all approved hosts of which not all findings are known. */
  readonly isAll: boolean;
  readonly search: FindingsSearch;
}

/** The number of hosts that may have more findings, linked to them where filters of hosts select exactly these. */
function HostsOfUnknown({ hosts, isAll, search: { host, tag } }: HostsOfUnknownProps) {
  const words = hostsInWords(hosts);
  if (!isAll || host !== undefined) return words;
  return (
    <Link
      to="/hosts"
      search={{ approval_status: 'approved', findings_known: 'false', ...(tag !== undefined && { tag }) }}
    >
      {words}
    </Link>
  );
}

/** The rows that match the address. */
export function FindingsList() {
  const [search] = useFindingsSearch();
  const grouping = groupingIn(search);
  const filters = findingQueryOf(search);
  const query = useApiPages('/findings', pageRows, { query: filters });
  const selection = useRowSelection(JSON.stringify(filters), keyOf, mostSelected);
  const mayAccept = useMay('operator');
  return (
    <SelectionContext value={selection}>
      <DueLimit className={styles['advice']} isAboutExploited={search.known_exploited === 'true'} />
      <Loaded query={query} what="Reading the findings">
        {({ rows, total, headers }) => {
          const unknown = Number(headers['plimsoll-unknown-hosts'] ?? 0);
          const uncounted = Number(headers['plimsoll-uncounted-hosts'] ?? 0);
          return (
            <>
              {total > 0 && (
                <p className={styles['total']} role="status">
                  {amountInWords(total, ...nounsOf(grouping, search.only_waived === 'true'))}
                </p>
              )}
              {(unknown > 0 || uncounted > 0) && (
                <div className={styles['advice']}>
                  <Notice tone="neutral">
                    <p>
                      {uncounted > 0 &&
                        `${hostsInWords(uncounted)} ${uncounted === 1 ? 'is' : 'are'} not counted yet. `}
                      {unknown > uncounted && (
                        <>
                          <HostsOfUnknown
                            hosts={unknown - uncounted}
                            isAll={uncounted === 0}
                            search={search}
                          />{' '}
                          may have more findings.
                        </>
                      )}
                    </p>
                  </Notice>
                </div>
              )}
              <SelectedFindings grouping={grouping} />
              {total === 0 ? (
                <NoFindings unknown={unknown} />
              ) : (
                <EndlessTable
                  label="Findings"
                  columns={findingColumns(grouping, mayAccept)}
                  rows={rows}
                  rowId={keyOf}
                  query={query}
                />
              )}
            </>
          );
        }}
      </Loaded>
    </SelectionContext>
  );
}

const keyOf = ({ key }: FleetFinding) => key;
