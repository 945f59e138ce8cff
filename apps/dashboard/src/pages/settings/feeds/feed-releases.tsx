import type { Feed } from '@plimsoll/contract';
import { ForeignText } from '../../../design/text/foreign-text.tsx';
import { Time } from '../../../design/time/time.tsx';
import styles from '../settings.module.css';

/** The releases with files of their own, and how old the data of each is. */
export function FeedReleases({ releases }: { readonly releases: Feed['releases'] }) {
  const behind = releases.filter(({ last_error }) => last_error !== null).length;
  return (
    <details className={`${styles['words']} ${styles['muted']}`}>
      <summary>
        Age of each release{behind > 0 && ` (${behind} of ${releases.length} not synced by the last sync)`}
      </summary>
      <ul className={styles['ways']}>
        {releases.map(({ release, updated_at, last_error }) => (
          <li key={release}>
            <ForeignText text={release} oneLine mono />:{' '}
            {updated_at === null ? 'never synced' : <Time at={updated_at} />}
            {last_error !== null && ', not synced by the last sync'}
          </li>
        ))}
      </ul>
    </details>
  );
}
