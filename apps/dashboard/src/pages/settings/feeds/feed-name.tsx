import type { Feed } from '@plimsoll/contract';
import { useMay } from '../../../api/session.ts';
import { ExternalLink } from '../../../design/text/external-link.tsx';
import { ForeignText } from '../../../design/text/foreign-text.tsx';
import { overrideWords } from '../../../words/override-words.ts';
import styles from '../settings.module.css';
import { FeedReleases } from './feed-releases.tsx';
import { FeedSync } from './feed-sync.tsx';
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
