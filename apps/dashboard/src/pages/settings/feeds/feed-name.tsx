import type { Feed } from '@plimsoll/contract';
import { useMay } from '../../../api/session.ts';
import { Progress } from '../../../design/progress.tsx';
import { ExternalLink } from '../../../design/text/external-link.tsx';
import { ForeignText } from '../../../design/text/foreign-text.tsx';
import { Time } from '../../../design/time/time.tsx';
import { overrideWords } from '../../../words/override-words.ts';
import { syncPart, syncWords } from '../../../words/sync-words.ts';
import styles from '../settings.module.css';
import { importPanelId } from './import-panel.tsx';

/** Maximum number of characters of an error; servers can send longer ones. */
const maxErrorLength = 400;

/** The name of a feed; a running sync, the reason of a failed one, what to do about it, the feed's limits and its overridden errors. */
export function FeedName({ feed }: { readonly feed: Feed }) {
  const mayImport = useMay('admin');
  const {
    id,
    last_error: error,
    ways_out: waysOut,
    needed_by_hosts: hosts,
    limits,
    overrides,
    sync,
    releases,
  } = feed;
  return (
    <span className={styles['tight']}>
      <strong>
        <ForeignText text={id} oneLine />
      </strong>
      {sync !== null && <FeedSync sync={sync} />}
      {error !== null && (
        <span className={`${styles['words']} ${styles['muted']}`}>
          {sync !== null && 'The previous sync failed: '}
          <ForeignText text={error.slice(0, maxErrorLength)} />
        </span>
      )}
      {waysOut.length > 0 && (
        <details className={`${styles['words']} ${styles['muted']}`}>
          <summary>What to do</summary>
          <ul className={styles['ways']}>
            {waysOut.map(({ code, text }) => (
              <li key={code}>
                {code === 'import' && mayImport ? <a href={`#${importPanelId}`}>{text}</a> : text}
              </li>
            ))}
          </ul>
        </details>
      )}
      {releases.length > 0 && <FeedReleases releases={releases} />}
      {hosts > 0 && limits.length > 0 && (
        <details className={`${styles['words']} ${styles['muted']}`}>
          <summary>What it cannot know</summary>
          <ul className={styles['ways']}>
            {limits.map((limit) => (
              <li key={limit}>{limit}</li>
            ))}
          </ul>
        </details>
      )}
      {overrides.length > 0 && (
        <details className={`${styles['words']} ${styles['muted']}`}>
          <summary>Known errors that are overridden</summary>
          <ul className={styles['ways']}>
            {overrides.map((override) => (
              <li key={`${override.release} ${override.package} ${override.cve}`}>
                <ForeignText text={overrideWords(override)} />{' '}
                <ExternalLink url={override.source}>source</ExternalLink>
              </li>
            ))}
          </ul>
        </details>
      )}
    </span>
  );
}

/** How far the sync of a feed is, or that it was interrupted. */
function FeedSync({ sync }: { readonly sync: NonNullable<Feed['sync']> }) {
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

/** The releases with files of their own, and how old the data of each is. */
function FeedReleases({ releases }: { readonly releases: Feed['releases'] }) {
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
