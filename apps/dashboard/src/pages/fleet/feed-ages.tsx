import type { FleetSummary } from '@plimsoll/contract';
import { Link } from '@tanstack/react-router';
import { Badge } from '../../design/badge.tsx';
import { Panel } from '../../design/page/page.tsx';
import { ForeignText } from '../../design/text/foreign-text.tsx';
import { Time } from '../../design/time/time.tsx';
import { failedSyncWord, feedWord } from '../../words/feed-words.ts';
import styles from './fleet.module.css';

/** Largest number of feeds here; the feeds' page lists all. */
const shownFeeds = 6;

/** Age of the advisory data behind the findings, oldest first. */
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
        <p className={styles['calm']}>No feed covers your hosts.</p>
      ) : (
        <ul className={styles['lines']}>
          {inUse.slice(0, shownFeeds).map((feed) => (
            <li key={feed.id} className={styles['feed']}>
              <ForeignText text={feed.id} oneLine mono />
              <State feed={feed} />
              <span className={styles['meaning']}>
                {feed.updated_at === null ? 'No advisories yet' : <Time at={feed.updated_at} />}
              </span>
            </li>
          ))}
          {inUse.length > shownFeeds && (
            <li className={styles['meaning']}>{inUse.length - shownFeeds} more</li>
          )}
        </ul>
      )}
    </Panel>
  );
}

/** Outdated data comes before a failed sync. */
function State({ feed }: { readonly feed: FleetSummary['feeds']['in_use'][number] }) {
  const { words, tone, meaning } = feedWord({ ...feed, needed_by_hosts: feed.hosts });
  return (
    <span>
      <Badge tone={tone} title={meaning}>
        {words}
      </Badge>{' '}
      {feed.state === 'failed' && (
        <Badge tone={failedSyncWord.tone} title={failedSyncWord.meaning}>
          {failedSyncWord.words}
        </Badge>
      )}
    </span>
  );
}
