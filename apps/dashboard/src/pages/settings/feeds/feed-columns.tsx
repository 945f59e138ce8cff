import type { Feed } from '@plimsoll/contract';
import { Link } from '@tanstack/react-router';
import { RefreshCw } from 'lucide-react';
import { api } from '../../../api/client.ts';
import { useChange } from '../../../api/queries.ts';
import { Badge } from '../../../design/badge.tsx';
import { Button } from '../../../design/button.tsx';
import { groupedNumber } from '../../../design/number-words.ts';
import { type Column, column } from '../../../design/table/table-columns.ts';
import { Time } from '../../../design/time/time.tsx';
import { toast } from '../../../design/toasts.tsx';
import { failedSyncWord, feedWord } from '../../../words/feed-words.ts';
import styles from '../settings.module.css';
import { FeedName } from './feed-name.tsx';

/** Seconds to wait for the result; a longer sync continues. */
const waitSeconds = 30;

/** Syncs a feed now and shows the result as a toast. */
function SyncFeed({ feed }: { readonly feed: Feed }) {
  const sync = useChange(
    () => api.post('/feeds/{id}/sync', { params: { id: feed.id }, wait: waitSeconds }),
    ['/feeds', '/fleet', '/hosts', '/advisories', '/cves', '/packages'],
  );
  if (feed.import_only) return null;
  const start = () =>
    toast.outcome(sync.mutateAsync(), (answer) => {
      if (!('state' in answer)) return `${feed.id} is still syncing. See the list for the result.`;
      if (answer.state === 'failed')
        throw new Error(`${feed.id} failed: ${answer.last_error ?? 'see the log'}`);
      return `${feed.id} is synced.`;
    });
  const words = sync.isPending ? 'Syncing…' : 'Sync now';
  return (
    <Button look="quiet" isPending={sync.isPending} onPress={start} aria-label={`${words}: ${feed.id}`}>
      <RefreshCw aria-hidden /> <span className={styles['short']}>{words}</span>
    </Button>
  );
}

/** Columns of the list of feeds. */
export const feedColumns: readonly Column<Feed>[] = [
  column('feed', 'Feed', {
    cell: (feed) => <FeedName feed={feed} />,
    sortBy: ({ id }) => id,
  }),
  column('state', 'State', {
    cell: (feed) => <State feed={feed} />,
    sortBy: (feed) => feedWord(feed).words,
  }),
  column('age', 'As of', {
    cell: ({ updated_at }) => <Moment at={updated_at} />,
    sortBy: ({ updated_at }) => updated_at ?? '',
  }),
  column('records', 'Records', {
    align: 'end',
    cell: (feed) => <Records feed={feed} />,
    sortBy: ({ records }) => records,
  }),
  column('synced', 'Last sync', {
    from: 'wide',
    cell: ({ last_sync_at }) => <Moment at={last_sync_at} />,
    sortBy: ({ last_sync_at }) => last_sync_at ?? '',
  }),
  column('next', 'Next sync', {
    from: 'medium',
    cell: (feed) => <Next feed={feed} />,
    sortBy: ({ next_sync_at }) => next_sync_at ?? '',
  }),
];

/** Additional columns for operators. */
export const feedColumnsOfOperators: readonly Column<Feed>[] = [
  ...feedColumns,
  column('actions', 'Actions', { align: 'end', cell: (feed) => <SyncFeed feed={feed} /> }),
];

function State({ feed }: { readonly feed: Feed }) {
  const { words, tone, meaning } = feedWord(feed);
  return (
    <span className={styles['tight']}>
      <Badge tone={tone} title={meaning}>
        {words}
      </Badge>
      {feed.state === 'failed' && (
        <Badge tone={failedSyncWord.tone} title={failedSyncWord.meaning}>
          {failedSyncWord.words}
        </Badge>
      )}
    </span>
  );
}

function Moment({ at }: { readonly at: string | null }) {
  return <span className={styles['short']}>{at === null ? '–' : <Time at={at} />}</span>;
}

function Records({ feed: { id, kind, records } }: { readonly feed: Feed }) {
  if (records === 0 || kind !== 'advisories') return groupedNumber(records);
  return (
    <Link to="/advisories" search={{ feed: id }}>
      {groupedNumber(records)}
    </Link>
  );
}

function Next({ feed: { next_sync_at, import_only, needed_by_hosts } }: { readonly feed: Feed }) {
  if (import_only) return <span title="No address to fetch it from is known.">Manual import</span>;
  if (next_sync_at !== null) return <Moment at={next_sync_at} />;
  if (needed_by_hosts === 0) return <span title="No approved host needs it.">Not needed by any host</span>;
  return (
    <span title="Syncs on schedule are off, or this feed is left out (feeds.sync_enabled, feeds.enabled).">
      Off
    </span>
  );
}
