import type { Host } from '@plimsoll/contract';
import { Badge } from '../design/badge.tsx';
import { Time } from '../design/time/time.tsx';

/** The earliest due date of a host, and how many findings are past theirs. */
export function HostDue({ host }: { readonly host: Pick<Host, 'due_at' | 'overdue_count'> }) {
  const { due_at, overdue_count } = host;
  if (due_at === null) return '–';
  if (overdue_count === 0) return <Time at={due_at} />;
  return (
    <Badge tone="critical" title={`Due since ${due_at}`}>
      {overdue_count} overdue
    </Badge>
  );
}

/** A due date; one that has passed is marked. */
export function DueTime({ at }: { readonly at: string }) {
  const isOver = Date.parse(at) <= Date.now();
  return isOver ? (
    <Badge tone="critical">
      <Time at={at} />
    </Badge>
  ) : (
    <Time at={at} />
  );
}
