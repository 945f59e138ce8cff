import type { FleetSummary } from '@plimsoll/contract';
import { Link } from '@tanstack/react-router';
import { Badge } from '../../design/badge.tsx';
import { ForeignText } from '../../design/foreign-text.tsx';
import { Panel } from '../../design/page.tsx';
import { Time } from '../../design/time.tsx';
import styles from './fleet.module.css';

/** More are seen on the page of the feeds. */
const shownFeeds = 6;

const stateWords = {
  ok: { tone: 'good', words: 'Up to date' },
  failed: { tone: 'critical', words: 'Sync failed' },
  never_synced: { tone: 'important', words: 'Never synced' },
} as const;

/** How old the advisories are that the findings rest on, the oldest first. */
export function FeedAges({ feeds }: { readonly feeds: FleetSummary['feeds'] }) {
  const { in_use: inUse } = feeds;
  return (
    <Panel
      title="Advisory feeds"
      actions={
        <Link to="/settings" search={{ tab: 'feeds' }}>
          All feeds
        </Link>
      }
    >
      {inUse.length === 0 ? (
        <p className={styles['calm']}>No feed speaks for a system that approved hosts run.</p>
      ) : (
        <ul className={styles['lines']}>
          {inUse.slice(0, shownFeeds).map(({ id, state, updated_at }) => (
            <li key={id} className={styles['feed']}>
              <ForeignText text={id} oneLine mono />
              <Badge tone={stateWords[state].tone}>{stateWords[state].words}</Badge>
              <span className={styles['meaning']}>
                {updated_at === null ? 'No advisories yet' : <Time at={updated_at} />}
              </span>
            </li>
          ))}
          {inUse.length > shownFeeds && (
            <li className={styles['meaning']}>and {inUse.length - shownFeeds} that are newer</li>
          )}
        </ul>
      )}
    </Panel>
  );
}
