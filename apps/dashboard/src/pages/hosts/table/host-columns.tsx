import type { Host } from '@plimsoll/contract';
import { statusOf } from '@plimsoll/words';
import { Link } from '@tanstack/react-router';
import { Badge } from '../../../design/badge.tsx';
import { SelectRow, selectColumnOf } from '../../../design/table/select-row.tsx';
import { type Column, column } from '../../../design/table/table-columns.ts';
import { ForeignText } from '../../../design/text/foreign-text.tsx';
import { printable } from '../../../design/text/printable.ts';
import { Time } from '../../../design/time/time.tsx';
import { actionReason } from '../../../words/action-reason.ts';
import { ApprovalBadge, HostActionBadge, StatusBadge } from '../../../words/badges.tsx';
import { HostDue } from '../../../words/host-due.tsx';
import { reportedAt } from '../../../words/knowledge.ts';
import { systemInWords } from '../../../words/system-words.ts';
import styles from '../hosts.module.css';
import type { HostsSearch } from '../hosts-search.ts';
import { bootedColumn, rebootColumn, rebootUnknownColumn, restartColumn } from './due-reasons.tsx';
import { HostFindings } from './host-findings.tsx';
import { useSelection } from './selection.ts';

/** Largest number of tags in a row. */
const shownTags = 3;

function HostName({ host }: { readonly host: Host }) {
  const { id, display_name, tags, os_name, os_version } = host;
  return (
    <span className={styles['host']}>
      <Link to="/hosts/$id" params={{ id }} className={styles['name'] ?? ''}>
        <ForeignText text={display_name} />
      </Link>
      <span className={styles['about']}>
        <span className={styles['system']}>
          <ForeignText text={systemInWords({ os_name, os_version })} oneLine />
        </span>
        {host.machine_id_conflict_with !== null && (
          <Badge tone="important" title="Another host has the same machine id: a clone, or enrolled twice.">
            Same machine id
          </Badge>
        )}
        {tags.slice(0, shownTags).map((tag) => (
          <Badge key={tag} tone="neutral">
            <ForeignText text={tag} oneLine />
          </Badge>
        ))}
        {tags.length > shownTags && (
          <span
            className={styles['muted']}
            title={tags
              .slice(shownTags)
              .map((tag) => printable(tag, 60))
              .join(', ')}
          >
            +{tags.length - shownTags}
          </span>
        )}
      </span>
    </span>
  );
}

/** Columns of the list of hosts; their ids are the sort keys of GET /hosts. */
export const hostColumns: readonly Column<Host>[] = [
  { id: 'display_name', header: 'Host', cell: (host) => <HostName host={host} />, serverSort: true },
  column('overall_action', 'Action', {
    cell: (host) => (
      <span className={styles['action']}>
        <HostActionBadge host={host} title={actionReason(host, Date.now())} />
      </span>
    ),
    serverSort: true,
    width: 'clamp(8.5rem, 10.5vw, 12rem)',
  }),
  column('critical_count', 'Findings', {
    cell: (host) => <HostFindings host={host} />,
    serverSort: true,
    width: 'clamp(5.25rem, 8rem + 4vw, 30vw - 2rem)',
  }),
  column('due_at', 'Due', {
    cell: (host) => <HostDue host={host} />,
    serverSort: true,
    width: '8rem',
    from: 'wide',
  }),
  column('os_name', 'System', {
    cell: ({ os_name, os_version }) =>
      os_name === '' ? (
        <span className={styles['muted']}>Not known</span>
      ) : (
        <span className={styles['os']}>
          <ForeignText text={systemInWords({ os_name, os_version })} oneLine />
        </span>
      ),
    serverSort: true,
    width: '8.5rem',
    from: 'widest',
  }),
  column('status', 'Status', {
    cell: (host) =>
      host.approval_status === 'approved' ? (
        <StatusBadge status={host.status} meaning={statusOf(host).meaning} />
      ) : (
        <ApprovalBadge state={host.approval_status} />
      ),
    serverSort: true,
    width: '7.5rem',
    from: 'medium',
  }),
  column('last_seen_at', 'Last seen', {
    cell: ({ last_seen_at, status }) => (status === 'new' ? '–' : <Time at={last_seen_at} />),
    serverSort: true,
    width: '8.5rem',
    from: 'widest',
  }),
];

const selectColumn = selectColumnOf<Host>((host) => <SelectHost host={host} />);

/** For hosts with something due: why, instead of their findings and systems. @param last in place of when they were last seen */
function withReason(reason: Column<Host>, last?: Column<Host>): readonly Column<Host>[] {
  return hostColumns.flatMap((column) => {
    if (column.id === 'critical_count') return [reason];
    if (column.id === 'last_seen_at') return [last ?? column];
    return column.id === 'os_name' ? [] : [column];
  });
}

const reportColumn: Column<Host> = column('reported_at', 'Last report', {
  cell: (host) => (host.status === 'new' ? '–' : <Time at={reportedAt(host)} />),
  serverSort: true,
  width: 'clamp(7.25rem, 12vw, 8.5rem)',
});

/** For silent hosts: since when, on every screen, instead of their findings on a phone. */
function withReport(): readonly Column<Host>[] {
  return hostColumns.flatMap((one): readonly Column<Host>[] => {
    switch (one.id) {
      case 'overall_action':
        return [one, reportColumn];
      case 'critical_count':
        return [{ ...one, from: 'medium' }];
      case 'status':
        return [{ ...one, from: 'wide' }];
      default:
        return one.id === 'last_seen_at' ? [] : [one];
    }
  });
}

function withSelection(columns: readonly Column<Host>[]) {
  return { toRead: columns, toSelect: [selectColumn, ...columns] };
}

const usual = withSelection(hostColumns);
const toReboot = withSelection(withReason(rebootColumn, bootedColumn));
const mayReboot = withSelection(withReason(rebootUnknownColumn, bootedColumn));
const toRestart = withSelection(withReason(restartColumn));
const silent = withSelection(withReport());

/** The columns of a filtered list of hosts, without and with a selection. */
export function columnsFor({ reboot_state, restart_state, status, gap }: HostsSearch) {
  if (reboot_state === 'needed') return toReboot;
  if (reboot_state === 'unknown') return mayReboot;
  if (restart_state === 'needed') return toRestart;
  return status === 'stale' || status === 'unreachable' || gap === 'report_outdated' ? silent : usual;
}

/** Selects a host. */
function SelectHost({ host }: { readonly host: Host }) {
  return <SelectRow selection={useSelection()} row={host} id={host.id} name={host.display_name} />;
}
