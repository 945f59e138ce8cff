import type { System } from '@plimsoll/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { apiQuery } from '../../../api/queries.ts';
import { Notice } from '../../../design/notice.tsx';
import { Facts } from '../../../design/page/facts.tsx';
import { Panel } from '../../../design/page/page.tsx';
import { Loaded } from '../../../design/states.tsx';
import { DataTable } from '../../../design/table/data-table.tsx';
import { type Column, column } from '../../../design/table/table-columns.ts';
import styles from '../settings.module.css';
import { missingApps } from './missing-apps.ts';
import { QuarantinePanel } from './quarantine-panel.tsx';
import { SystemChecks } from './system-checks.tsx';
import { SystemProcesses } from './system-processes.tsx';
import { SystemRounds } from './system-rounds.tsx';
import { SystemWork } from './system-work.tsx';

/** Polling interval: no event announces these changes. */
const pollMs = 10_000;

/** State of the installation and of its work. */
export function SystemTab() {
  const system = useQuery({ ...apiQuery('/system'), refetchInterval: pollMs });
  return (
    <Loaded query={system} what="Loading the system">
      {(shown) => <Parts system={shown} />}
    </Loaded>
  );
}

function Parts({ system }: { readonly system: System }) {
  const { version, checks, database, queue, instances, rounds, work, failures } = system;
  const missing = missingApps(instances);
  return (
    <div className={styles['stack']}>
      {missing.map(({ app, loss }) => (
        <Notice key={app} tone="critical">
          <p>
            <strong>{app}</strong> is not running. {loss} Start it, and check its log if it stops again.
          </p>
        </Notice>
      ))}
      {queue.state === 'down' && (
        <Notice tone="important">
          <p>
            The queue cannot be reached. Nothing is lost: work is kept in the database and starts with a delay
            until the queue is back.
          </p>
        </Notice>
      )}
      <SystemChecks checks={checks} />
      <Panel title="Versions">
        <Facts
          facts={[
            [
              'Plimsoll',
              <span key="version">
                {version} (<Link to="/changes">what changed</Link>)
              </span>,
            ],
            ['PostgreSQL', database.version],
            ['Database size', sizeInWords(database.size_bytes)],
            ['Queue', `${queue.backend === 'redis' ? 'Redis' : 'PostgreSQL'}, ${queue.state}`],
          ]}
        />
      </Panel>
      <SystemProcesses instances={instances} version={version} />
      <SystemRounds rounds={rounds} />
      <SystemWork work={work} />
      <SystemFailures failures={failures} />
      <QuarantinePanel />
      {queue.queues.length > 0 && <SystemQueue queues={queue.queues} />}
    </div>
  );
}

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

function sizeInWords(bytes: number): string {
  const step = bytes < 1 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), units.length - 1);
  return new Intl.NumberFormat('en', {
    style: 'unit',
    unit: units[step] ?? 'byte',
    maximumFractionDigits: 1,
  }).format(bytes / 1000 ** step);
}

type Queue = System['queue']['queues'][number];

const columns: readonly Column<Queue>[] = [
  column('name', 'Queue', { cell: ({ name }) => name }),
  column('waiting', 'Waiting', { align: 'end', cell: ({ waiting }) => waiting }),
  column('active', 'Active', { align: 'end', cell: ({ active }) => active }),
  column('delayed', 'To retry', { align: 'end', cell: ({ delayed }) => delayed }),
];

/** The queues that wake the workers; the database holds the work itself. */
function SystemQueue({ queues }: { readonly queues: System['queue']['queues'] }) {
  return (
    <Panel title="Queues" flush>
      <DataTable label="Queues" columns={columns} rows={queues} rowId={({ name }) => name} />
    </Panel>
  );
}

/** Errors of the last 24 hours, and where to look. */
function SystemFailures({ failures }: { readonly failures: System['failures'] }) {
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
