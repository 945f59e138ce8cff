import type { FindingGrouping, FleetFinding } from '@plimsoll/contract';
import { fixWords } from '@plimsoll/words';
import { Link } from '@tanstack/react-router';
import { ShieldOff } from 'lucide-react';
import type { ReactNode } from 'react';
import { Badge } from '../../design/badge.tsx';
import { groupedNumber } from '../../design/number-words.ts';
import { Unseen } from '../../design/states.tsx';
import { type Column, column } from '../../design/table/table-columns.ts';
import { ForeignText } from '../../design/text/foreign-text.tsx';
import { Time } from '../../design/time/time.tsx';
import { ExploitedBadge, SeverityBadge } from '../../words/badges.tsx';
import { epssWords } from '../../words/epss-words.ts';
import { Struck } from '../../words/waived.tsx';
import { fixOrder } from './finding-query.ts';
import styles from './findings.module.css';
import { type FindingsSearch, useFindingsSearch, withChange } from './findings-search.ts';
import { selectColumn } from './selected-findings.tsx';

const headers = { advisory: 'Advisory', cve: 'CVE', package: 'Source package', host: 'Host' } as const;

/** The columns of findings under a grouping, with a selection for users who may act on rows. */
export function findingColumns(
  grouping: FindingGrouping,
  isSelectable: boolean,
): readonly Column<FleetFinding>[] {
  return (isSelectable ? selectableColumns : columnsByGrouping)[grouping];
}

function columnsOf(grouping: FindingGrouping): readonly Column<FleetFinding>[] {
  const hasTitle = grouping === 'advisory' || grouping === 'cve';
  const isOfHosts = grouping === 'host';
  return [
    column('key', headers[grouping], {
      width: 'clamp(10rem, 13vw, 14rem)',
      cell: (row) => (
        <>
          <Key grouping={grouping} row={row} />
          {row.waived_hosts > 0 && <Waived grouping={grouping} row={row} />}
        </>
      ),
    }),
    ...(hasTitle ? [title] : []),
    severity,
    due,
    ...(isOfHosts ? [state] : [hostsOf(grouping), statesOf(grouping)]),
    epss,
    firstSeen,
  ];
}

const title: Column<FleetFinding> = column('title', 'Title', {
  from: 'wide',
  cell: (row) => (
    <span className={styles['title']}>
      <ForeignText text={row.title} />
    </span>
  ),
});

const severity: Column<FleetFinding> = column('severity', 'Severity', {
  width: '8.5rem',
  cell: (row) => (
    <span className={styles['badges']}>
      <SeverityBadge severity={row.severity} />
      {row.known_exploited && <ExploitedBadge />}
    </span>
  ),
});

const due: Column<FleetFinding> = column('due', 'Due', {
  width: '8.5rem',
  from: 'medium',
  cell: ({ due_at, overdue_hosts }) =>
    due_at === null ? (
      '–'
    ) : (
      <span className={styles['moment']}>
        {overdue_hosts > 0 && <Badge tone="critical">Overdue</Badge>}
        <Time at={due_at} />
      </span>
    ),
});

const epss: Column<FleetFinding> = column('epss', 'EPSS', {
  width: '5rem',
  align: 'end',
  from: 'wide',
  cell: (row) => (row.epss === null ? null : <span className={styles['moment']}>{epssWords(row.epss)}</span>),
});

const firstSeen: Column<FleetFinding> = column('first_seen', 'First seen', {
  width: '8.5rem',
  from: 'wide',
  cell: ({ first_seen_at }) => (
    <span className={styles['moment']}>
      <Time at={first_seen_at} />
    </span>
  ),
});

function hostsOf(grouping: FindingGrouping): Column<FleetFinding> {
  return column('hosts', 'Hosts', {
    align: 'end',
    width: '4.5rem',
    cell: (row) => (
      <HostsLink grouping={grouping} row={row} change={{}}>
        {groupedNumber(row.hosts)}
        <Unseen> hosts with {row.key}</Unseen>
      </HostsLink>
    ),
  });
}

function statesOf(grouping: FindingGrouping): Column<FleetFinding> {
  return column('states', 'Hosts by fix state', {
    width: '11rem',
    from: 'medium',
    cell: (row) => (
      <ul className={styles['states']}>
        {statesIn(row).map((fix_state) => (
          <li key={fix_state}>
            <HostsLink
              grouping={grouping}
              row={row}
              change={{ fix_state }}
              title={fixWords[fix_state].meaning}
            >
              {groupedNumber(row.hosts_by_fix_state[fix_state] ?? 0)}{' '}
              {fixWords[fix_state].words.toLowerCase()}
            </HostsLink>
          </li>
        ))}
      </ul>
    ),
  });
}

/** Of one host: its first state. */
const state: Column<FleetFinding> = column('state', 'Fix state', {
  width: '12rem',
  from: 'medium',
  cell: (row) => statesIn(row).map((fix_state) => fixWords[fix_state].words),
});

const columnsByGrouping: Readonly<Record<FindingGrouping, readonly Column<FleetFinding>[]>> = {
  advisory: columnsOf('advisory'),
  cve: columnsOf('cve'),
  package: columnsOf('package'),
  host: columnsOf('host'),
};

const selectableColumns: typeof columnsByGrouping = {
  advisory: [selectColumn, ...columnsByGrouping.advisory],
  cve: [selectColumn, ...columnsByGrouping.cve],
  package: [selectColumn, ...columnsByGrouping.package],
  host: [selectColumn, ...columnsByGrouping.host],
};

function statesIn({ hosts_by_fix_state }: FleetFinding) {
  return fixOrder.filter((fix_state) => (hosts_by_fix_state[fix_state] ?? 0) > 0);
}

interface OfRow {
  readonly grouping: FindingGrouping;
  readonly row: FleetFinding;
}

function Key({ grouping, row }: OfRow) {
  const { key } = row;
  const [search] = useFindingsSearch();
  const name = <ForeignText text={grouping === 'host' ? row.title : key} oneLine />;
  const text = <Struck by={row.waived_hosts === row.hosts || undefined}>{name}</Struck>;
  const className = styles['key'] ?? '';
  switch (grouping) {
    case 'advisory':
      return (
        <Link to="/advisories/$id" params={{ id: key }} search={{}} className={className}>
          {text}
        </Link>
      );
    case 'cve':
      return (
        <Link to="/cves/$id" params={{ id: key }} search={{}} className={className}>
          {text}
        </Link>
      );
    case 'host':
      return (
        <Link to="/hosts/$id" params={{ id: key }} search={{}} className={className}>
          {text}
        </Link>
      );
    case 'package':
      return (
        <Link
          to="/findings"
          search={withChange(search, { group_by: undefined, package: key })}
          className={className}
        >
          {text}
        </Link>
      );
    default:
      return grouping satisfies never;
  }
}

/** On how many hosts of a row all of it is waived; leads to the waivers, which say by whom and until when. */
function Waived({ grouping, row }: OfRow) {
  const { hosts, waived_hosts, key } = row;
  const isWhole = waived_hosts === hosts;
  return (
    <span className={styles['waived']}>
      <Badge tone="neutral" icon={ShieldOff}>
        Waived{grouping === 'host' ? '' : isWhole ? '' : ` on ${groupedNumber(waived_hosts)}`}
      </Badge>
      <Link to="/waivers" search={grouping === 'host' ? { host: key } : { names: key }}>
        by whom
      </Link>
    </span>
  );
}

interface HostsLinkProps extends OfRow {
  readonly change: Pick<FindingsSearch, 'fix_state'>;
  readonly title?: string;
  readonly children: ReactNode;
}

/** A number of hosts of a row, linked to exactly these hosts. */
function HostsLink({ grouping, row, change, title: tip, children }: HostsLinkProps) {
  const [search] = useFindingsSearch();
  return (
    <Link
      to="/findings"
      search={withChange(search, { ...change, group_by: 'host', [grouping]: row.key })}
      {...(tip !== undefined && { title: tip })}
    >
      {children}
    </Link>
  );
}
