import type { FleetSummary } from '@plimsoll/contract';
import { Link } from '@tanstack/react-router';
import { Notice } from '../../design/notice.tsx';
import { amountInWords } from '../../design/number-words.ts';
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
        (<OverdueFindings findings={overdue.findings} />
        ).
      </p>
      {overdue.by_tag.length > 0 && (
        <ul className={styles['lines']} aria-label="Overdue by tag">
          {overdue.by_tag.slice(0, shownTags).map(({ tag, hosts, findings }) => (
            <li key={tag}>
              <HostCount count={hosts} list={{ ...list, tag }}>
                {hosts === 1 ? 'host' : 'hosts'} tagged <ForeignText text={tag} oneLine />
              </HostCount>{' '}
              (<OverdueFindings findings={findings} tag={tag} />)
            </li>
          ))}
        </ul>
      )}
    </Notice>
  );
}

/** A number of overdue findings, linked to them, by host. */
function OverdueFindings({ findings, tag }: { readonly findings: number; readonly tag?: string }) {
  const search = { group_by: 'host', overdue: 'true', ...(tag !== undefined && { tag }) };
  return (
    <Link to="/findings" search={search}>
      {amountInWords(findings, 'finding', 'findings')}
    </Link>
  );
}
