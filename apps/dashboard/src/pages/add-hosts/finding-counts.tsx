import type { Host } from '@plimsoll/contract';
import { gapOrder, severityWords } from '@plimsoll/words';
import { Link } from '@tanstack/react-router';
import { HostActionBadge } from '../../words/badges.tsx';
import { areFindingsKnown, reasonsInWords } from '../../words/knowledge.ts';
import styles from './add-hosts.module.css';

const severities = ['critical', 'important', 'moderate', 'low', 'unrated'] as const;

/** Result of a report: the recommended action, and each count with a link to its list. */
export function FindingCounts({ host }: { readonly host: Host }) {
  const params = { id: host.id };
  const found = severities.filter((severity) => host[`${severity}_count`] > 0);
  return (
    <>
      <div className={styles['row']}>
        <HostActionBadge host={host} />
        {found.map((severity) => (
          <Link key={severity} to="/hosts/$id" params={params} search={{ tab: 'vulnerable', severity }}>
            {host[`${severity}_count`]} {severityWords[severity].words.toLowerCase()}
          </Link>
        ))}
        {found.length === 0 && (
          <span>
            {areFindingsKnown(host) ? 'No vulnerable package with a fix' : 'Vulnerable packages: not known'}
          </span>
        )}
        {host.unfixed_count > 0 && (
          <Link to="/hosts/$id" params={params} search={{ tab: 'vulnerable', fix: 'unfixed' }}>
            {host.unfixed_count} without a fix
          </Link>
        )}
        {host.available_updates > 0 && (
          <Link to="/hosts/$id" params={params} search={{ tab: 'updates' }}>
            {host.available_updates} {host.available_updates === 1 ? 'update' : 'updates'}
          </Link>
        )}
      </div>
      {host.gaps.length > 0 && (
        <p className={styles['lead']}>Not known: {reasonsInWords(host, gapOrder, Date.now())}.</p>
      )}
    </>
  );
}
