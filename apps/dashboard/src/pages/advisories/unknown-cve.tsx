import type { CveDetail } from '@plimsoll/contract';
import { Link } from '@tanstack/react-router';
import { Notice } from '../../design/notice.tsx';
import { hostsInWords } from '../../design/number-words.ts';
import { Panel } from '../../design/page/page.tsx';
import { ForeignText } from '../../design/text/foreign-text.tsx';
import { Time } from '../../design/time/time.tsx';
import styles from './advisories.module.css';

/** Text for a CVE that no feed lists: hosts may still be affected. Shows the age of each feed that could list it. */
export function UnknownCve({ feeds }: Pick<CveDetail, 'feeds'>) {
  return (
    <Panel
      title="Not known here"
      actions={
        <Link to="/settings" search={{ tab: 'feeds' }}>
          All feeds
        </Link>
      }
    >
      <div className={styles['stack']}>
        <Notice tone="important">
          <p>
            No feed here lists this CVE. It may be newer than the data below, or it may concern none of the
            distributions in use. Whether hosts are affected is not known.
          </p>
        </Notice>
        {feeds.length === 0 ? (
          <p>No feed covers an approved host.</p>
        ) : (
          <ul className={styles['feeds']} aria-label="Feeds that could list it">
            {feeds.map(({ id, updated_at, hosts }) => (
              <li key={id}>
                <ForeignText text={id} mono />{' '}
                <span className={styles['muted']}>
                  {updated_at === null ? (
                    'no data yet'
                  ) : (
                    <>
                      data of <Time at={updated_at} />
                    </>
                  )}
                  , {hostsInWords(hosts)}
                </span>
              </li>
            ))}
          </ul>
        )}
      </div>
    </Panel>
  );
}
