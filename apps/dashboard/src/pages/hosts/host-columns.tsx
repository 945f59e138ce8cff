import type { Host } from '@plimsoll/contract';
import { Link } from '@tanstack/react-router';
import { Badge } from '../../design/badge.tsx';
import { ForeignText } from '../../design/foreign-text.tsx';
import type { Column } from '../../design/table-columns.ts';
import { Time } from '../../design/time.tsx';
import { ActionBadge, StatusBadge } from '../../words/badges.tsx';
import { HostFindings } from './host-findings.tsx';
import styles from './hosts.module.css';
import { SelectHost } from './select-host.tsx';

/** More tags than these would hide the name. */
const shownTags = 3;

function HostName({ host: { id, display_name, tags, os_name } }: { readonly host: Host }) {
  return (
    <span className={styles['host']}>
      <Link to="/hosts/$id" params={{ id }} className={styles['name'] ?? ''}>
        <ForeignText text={display_name} oneLine />
      </Link>
      <span className={styles['system']}>
        <ForeignText text={os_name} oneLine />
      </span>
      {tags.length > 0 && (
        <span className={styles['tags']}>
          {tags.slice(0, shownTags).map((tag) => (
            <Badge key={tag} tone="neutral">
              <ForeignText text={tag} oneLine />
            </Badge>
          ))}
        </span>
      )}
    </span>
  );
}

/** The columns of the list of hosts, by the names GET /hosts sorts by. */
export const hostColumns: readonly Column<Host>[] = [
  { id: 'display_name', header: 'Host', cell: (host) => <HostName host={host} />, serverSort: true },
  {
    id: 'overall_action',
    header: 'Action',
    cell: ({ overall_action }) => <ActionBadge action={overall_action} />,
    serverSort: true,
    width: 'clamp(10.25rem, 14vw, 11.5rem)',
  },
  {
    id: 'critical_count',
    header: 'Findings',
    cell: (host) => <HostFindings host={host} />,
    serverSort: true,
    width: 'clamp(5.25rem, calc(60vw - 8.5rem), 17.5rem)',
  },
  {
    id: 'os_name',
    header: 'System',
    cell: ({ os_name, os_version }) =>
      os_name === '' ? (
        <span className={styles['muted']}>Not known</span>
      ) : (
        <ForeignText text={`${os_name} ${os_version}`} oneLine />
      ),
    serverSort: true,
    width: '9rem',
    from: 'wide',
  },
  {
    id: 'status',
    header: 'Status',
    cell: ({ status, approval_status }) =>
      approval_status === 'pending' ? (
        <Badge tone="important" title="Waits for approval: it counts in no number of the fleet.">
          To approve
        </Badge>
      ) : (
        <StatusBadge status={status} />
      ),
    serverSort: true,
    width: '8rem',
    from: 'medium',
  },
  {
    id: 'last_seen_at',
    header: 'Last seen',
    cell: ({ last_seen_at }) => <Time at={last_seen_at} />,
    serverSort: true,
    width: '8.5rem',
    from: 'wide',
  },
];

/** The same for whoever may do something with hosts. */
export const selectableHostColumns: readonly Column<Host>[] = [
  {
    id: 'select',
    header: 'Select',
    hideHeader: true,
    cell: (host) => <SelectHost host={host} />,
    width: '2.75rem',
    from: 'medium',
  },
  ...hostColumns,
];
