import type { System } from '@plimsoll/contract';
import { Link } from '@tanstack/react-router';
import { Facts } from '../../../design/page/facts.tsx';
import { Panel } from '../../../design/page/page.tsx';
import styles from '../settings.module.css';

/** Errors of the last 24 hours, and where to look. */
export function SystemFailures({ failures }: { readonly failures: System['failures'] }) {
  const { rejected_uploads, failed_pulls, failed_imports, failed_feeds } = failures;
  return (
    <Panel title="Failures of the last 24 hours">
      <div className={styles['stack']}>
        <Facts
          facts={[
            ['Uploads rejected', rejected_uploads],
            ['Pulls failed', failed_pulls],
            ['Imports failed', failed_imports],
            [
              'Feeds whose last sync failed',
              failed_feeds === 0 ? (
                0
              ) : (
                <Link key="feeds" to="/settings" search={{ tab: 'feeds' }}>
                  {failed_feeds}
                </Link>
              ),
            ],
          ]}
        />
        <p className={styles['muted']}>
          The page of each host lists its pulls and uploads with errors. Hosts without recent reports are{' '}
          <Link to="/hosts" search={{ status: 'unreachable' }}>
            unreachable
          </Link>{' '}
          or{' '}
          <Link to="/hosts" search={{ status: 'stale' }}>
            stale
          </Link>
          .
        </p>
      </div>
    </Panel>
  );
}
