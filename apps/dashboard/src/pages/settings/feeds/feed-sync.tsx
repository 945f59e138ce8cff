import type { Feed } from '@plimsoll/contract';
import { Progress } from '../../../design/progress.tsx';
import { Time } from '../../../design/time/time.tsx';
import { syncPart, syncWords } from '../../../words/sync-words.ts';
import styles from '../settings.module.css';

/** How far the sync of a feed is, or that it was interrupted. */
export function FeedSync({ sync }: { readonly sync: NonNullable<Feed['sync']> }) {
  if (sync.state === 'interrupted')
    return (
      <span className={`${styles['words']} ${styles['muted']}`}>
        {syncWords(sync)}: the advisory worker has not reported since <Time at={sync.reported_at} />. The sync
        goes on when a worker runs.
      </span>
    );
  return (
    <span className={`${styles['words']} ${styles['muted']}`}>
      <Progress label={syncWords(sync)} part={syncPart(sync)} />
      Began <Time at={sync.started_at} />, last progress <Time at={sync.progressed_at} />
    </span>
  );
}
