import type { HostComparison } from '@plimsoll/contract';
import { Link, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useApi } from '../../api/queries.ts';
import { LinkButton } from '../../design/button.tsx';
import { Notice } from '../../design/notice.tsx';
import { groupedNumber } from '../../design/number-words.ts';
import { Page, Panel } from '../../design/page/page.tsx';
import { Empty, Loaded } from '../../design/states.tsx';
import { LongTable } from '../../design/table/long-table.tsx';
import { ForeignText } from '../../design/text/foreign-text.tsx';
import { Time } from '../../design/time/time.tsx';
import { GapBadge, HostActionBadge } from '../../words/badges.tsx';
import styles from './compare.module.css';
import {
  differentColumns,
  factColumns,
  findingColumns,
  packageColumns,
  repositoryColumns,
} from './compare-columns.tsx';
import { limitWords } from './compare-words.ts';

/** Two hosts side by side; the address names them. */
export function ComparePage() {
  const { a, b } = useSearch({ from: '/signed-in/compare' });
  if (a === undefined || b === undefined || a === b) return <NothingChosen />;
  return <Compared a={a} b={b} />;
}

function NothingChosen() {
  return (
    <Page title="Compare two hosts">
      <Empty title="No two hosts are chosen" action={<LinkButton to="/hosts">Go to the hosts</LinkButton>}>
        Select two hosts in the list, then choose “Compare”.
      </Empty>
    </Page>
  );
}

function Compared({ a, b }: { readonly a: string; readonly b: string }) {
  const query = useApi('/hosts/compare', { query: { a, b } });
  return (
    <Page
      title="Compare two hosts"
      lead="By the newest report of each."
      actions={
        <LinkButton to="/compare" search={{ a: b, b: a }}>
          Swap
        </LinkButton>
      }
    >
      <Loaded query={query} what="Comparing the hosts">
        {(found) => <Comparison found={found} />}
      </Loaded>
    </Page>
  );
}

function Comparison({ found }: { readonly found: HostComparison }) {
  const { a, b, limits, facts, packages, findings, repositories } = found;
  const [columnsA, columnsB] = useMemo(() => [findingColumns(a.id), findingColumns(b.id)], [a.id, b.id]);
  const [nameA, nameB] = [a.display_name, b.display_name];
  return (
    <>
      <div className={styles['hosts']}>
        <HostPanel title="Host A" host={a} />
        <HostPanel title="Host B" host={b} />
      </div>
      {limits.map((limit) => (
        <Notice key={limit} tone="important">
          {limitWords[limit]}
        </Notice>
      ))}
      <Panel title="Facts" flush>
        <LongTable label="Facts" columns={factColumns} rows={facts} rowId={({ fact }) => fact} />
      </Panel>
      {findings !== null && (
        <>
          <Rows
            title={`Findings only on A, ${nameA}`}
            same={findings.same}
            what="on both"
            rows={findings.only_a}
            columns={columnsA}
            rowId={findingId}
            isUnknown={limits.includes('findings_unknown_a')}
          />
          <Rows
            title={`Findings only on B, ${nameB}`}
            same={findings.same}
            what="on both"
            rows={findings.only_b}
            columns={columnsB}
            rowId={findingId}
            isUnknown={limits.includes('findings_unknown_b')}
          />
        </>
      )}
      {packages !== null && <ComparedPackages packages={packages} nameA={nameA} nameB={nameB} />}
      {repositories !== null && (
        <ComparedRepositories repositories={repositories} nameA={nameA} nameB={nameB} />
      )}
    </>
  );
}

interface Names {
  readonly nameA: string;
  readonly nameB: string;
}

function ComparedPackages({ packages, nameA, nameB }: Names & { readonly packages: Found<'packages'> }) {
  const same = { same: packages.same, what: 'the same', rowId: packageId };
  return (
    <>
      <Rows
        {...same}
        title="Packages in other versions"
        rows={packages.different}
        columns={differentColumns}
      />
      <Rows
        {...same}
        title={`Packages only on A, ${nameA}`}
        rows={packages.only_a}
        columns={packageColumns}
      />
      <Rows
        {...same}
        title={`Packages only on B, ${nameB}`}
        rows={packages.only_b}
        columns={packageColumns}
      />
    </>
  );
}

function ComparedRepositories({
  repositories,
  nameA,
  nameB,
}: Names & { readonly repositories: Found<'repositories'> }) {
  const same = {
    same: repositories.same,
    what: 'on both',
    columns: repositoryColumns,
    rowId: repositoryId,
  };
  return (
    <>
      <Rows {...same} title={`Repositories only on A, ${nameA}`} rows={repositories.only_a} />
      <Rows {...same} title={`Repositories only on B, ${nameB}`} rows={repositories.only_b} />
    </>
  );
}

type Found<Part extends 'packages' | 'findings' | 'repositories'> = NonNullable<HostComparison[Part]>;

function findingId({ name, architecture, advisory_id }: Found<'findings'>['only_a'][number]): string {
  return [name, architecture, advisory_id].join(' ');
}

function packageId({ name, architecture }: { readonly name: string; readonly architecture: string }): string {
  return `${name} ${architecture}`;
}

function repositoryId({ id, url, suite }: Found<'repositories'>['only_a'][number]): string {
  return [id, url, suite].join(' ');
}

interface RowsProps<Row> {
  readonly title: string;
  /** The number of those that do not differ, and how they are called. */
  readonly same: number;
  readonly what: string;
  readonly rows: readonly Row[];
  readonly columns: Parameters<typeof LongTable<Row & object>>[0]['columns'];
  readonly rowId: (row: Row) => string;
  /** Whether there may be more than the rows. */
  readonly isUnknown?: boolean;
}

function Rows<Row extends object>({
  title,
  same,
  what,
  rows,
  columns,
  rowId,
  isUnknown = false,
}: RowsProps<Row>) {
  return (
    <Panel title={title} flush>
      <p className={styles['count']}>
        {groupedNumber(rows.length)}
        {isUnknown && ' known'}; {groupedNumber(same)} {what}.
      </p>
      {rows.length > 0 && <LongTable label={title} columns={columns} rows={rows} rowId={rowId} />}
    </Panel>
  );
}

function HostPanel({ title, host }: { readonly title: string; readonly host: HostComparison['a'] }) {
  return (
    <Panel title={title}>
      <div className={styles['host']}>
        <Link to="/hosts/$id" params={{ id: host.id }}>
          <ForeignText text={host.display_name} oneLine />
        </Link>
        <HostActionBadge host={host} />
        <span>
          {host.received_at === null ? (
            'No report time known'
          ) : (
            <>
              Report of <Time at={host.received_at} />
            </>
          )}
        </span>
        {host.gaps.length > 0 && (
          <span className={styles['gaps']}>
            Not known:{' '}
            {host.gaps.map((gap) => (
              <GapBadge key={gap} gap={gap} />
            ))}
          </span>
        )}
      </div>
    </Panel>
  );
}
