import type { Host, VulnerablePackage } from '@plimsoll/contract';
import { Link } from '@tanstack/react-router';
import { Badge } from '../design/badge.tsx';
import { Time } from '../design/time/time.tsx';

/** The earliest due date of a host, and how many findings are past theirs. */
export function HostDue({ host }: { readonly host: Pick<Host, 'id' | 'due_at' | 'overdue_count'> }) {
  const { id, due_at, overdue_count } = host;
  if (due_at === null) return '–';
  if (overdue_count === 0) return <Time at={due_at} />;
  return (
    <Link to="/hosts/$id" params={{ id }} search={{ tab: 'vulnerable', fix: 'all', overdue: 'true' }}>
      <Badge tone="critical" title={`Due since ${due_at}`}>
        {overdue_count} overdue
      </Badge>
    </Link>
  );
}

/** Whether a finding is past its due date. */
export function isOverdue({ due_at }: Pick<VulnerablePackage, 'due_at'>): boolean {
  return due_at !== null && Date.parse(due_at) <= Date.now();
}

/** A due date; one that has passed is marked. */
export function DueTime({ at }: { readonly at: string }) {
  return isOverdue({ due_at: at }) ? (
    <Badge tone="critical">
      <Time at={at} />
    </Badge>
  ) : (
    <Time at={at} />
  );
}
