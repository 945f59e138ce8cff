import type { System } from '@plimsoll/contract';
import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../../api/queries.ts';
import { Notice } from '../../../design/notice.tsx';
import { Facts } from '../../../design/page/facts.tsx';
import { Panel } from '../../../design/page/page.tsx';
import { Loaded } from '../../../design/states.tsx';
import styles from '../settings.module.css';
import { missingApps } from './missing-apps.ts';
import { SystemFailures } from './system-failures.tsx';
import { SystemProcesses } from './system-processes.tsx';
import { SystemQueue } from './system-queue.tsx';
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
  const { version, database, queue, instances, rounds, work, failures } = system;
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
      <Panel title="Versions">
        <Facts
          facts={[
            ['Plimsoll', version],
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
