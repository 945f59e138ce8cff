import type { FleetSummary } from '@plimsoll/contract';
import { Notice } from '../../design/notice.tsx';
import { ForeignText } from '../../design/text/foreign-text.tsx';
import styles from './fleet.module.css';
import { HostCount } from './host-count.tsx';

/** Tags shown. */
const shownTags = 8;

/** Hosts with findings past their due dates, also by tag; nothing if there are none. */
export function OverdueNotice({ fleet: { overdue } }: { readonly fleet: FleetSummary }) {
  if (overdue.hosts === 0) return null;
  const list = { overdue: 'true', sort: '-overdue_count' };
  return (
    <Notice tone="important">
      <p>
        <HostCount count={overdue.hosts} list={list}>
          {overdue.hosts === 1 ? 'host has' : 'hosts have'} findings past their due date
        </HostCount>{' '}
        ({overdue.findings} {overdue.findings === 1 ? 'finding' : 'findings'}).
      </p>
      {overdue.by_tag.length > 0 && (
        <ul className={styles['lines']} aria-label="Overdue by tag">
          {overdue.by_tag.slice(0, shownTags).map(({ tag, hosts, findings }) => (
            <li key={tag}>
              <HostCount count={hosts} list={{ ...list, tag }}>
                {hosts === 1 ? 'host' : 'hosts'} tagged <ForeignText text={tag} oneLine /> ({findings}{' '}
                {findings === 1 ? 'finding' : 'findings'})
              </HostCount>
            </li>
          ))}
        </ul>
      )}
    </Notice>
  );
}
