import type { Host } from '@plimsoll/contract';
import { Link } from '@tanstack/react-router';
import { ActionBadge } from '../../words/badges.tsx';
import { severityWords } from '../../words/finding-words.ts';
import { coverageWords } from '../../words/host-words.ts';
import styles from './add-hosts.module.css';

const severities = ['critical', 'important', 'moderate', 'low', 'unrated'] as const;

/** The result of a report: the action, and each count with a link to its list. */
export function FindingCounts({ host }: { readonly host: Host }) {
  const params = { id: host.id };
  const found = severities.filter((severity) => host[`${severity}_count`] > 0);
  return (
    <>
      <div className={styles['row']}>
        <ActionBadge action={host.overall_action} />
        {found.map((severity) => (
          <Link key={severity} to="/hosts/$id" params={params} search={{ tab: 'vulnerable', severity }}>
            {host[`${severity}_count`]} {severityWords[severity].words.toLowerCase()}
          </Link>
        ))}
        {found.length === 0 && (
          <span>
            {isJudged(host) ? 'No vulnerable package with a fix' : 'Vulnerable packages are not known'}
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
      {host.coverage !== 'full' && (
        <p className={styles['lead']}>
          Coverage: {coverageWords[host.coverage].words.toLowerCase()}. {coverageWords[host.coverage].meaning}
        </p>
      )}
    </>
  );
}

/** Whether zero findings mean anything. */
function isJudged({ coverage }: Host): boolean {
  return coverage === 'full' || coverage === 'partial';
}
