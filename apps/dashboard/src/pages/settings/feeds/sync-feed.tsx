import type { Feed } from '@plimsoll/contract';
import { RefreshCw } from 'lucide-react';
import { api } from '../../../api/client.ts';
import { useChange } from '../../../api/queries.ts';
import { Button } from '../../../design/button.tsx';
import { toast } from '../../../design/toasts.tsx';
import styles from '../settings.module.css';

/** Seconds to wait for the result; a longer sync continues. */
const waitSeconds = 30;

/** Syncs a feed now and shows the result as a toast. */
export function SyncFeed({ feed }: { readonly feed: Feed }) {
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
