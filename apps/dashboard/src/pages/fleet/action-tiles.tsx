import type { FleetSummary } from '@plimsoll/contract';
import { Panel } from '../../design/page.tsx';
import { ActionBadge } from '../../words/badges.tsx';
import { actionWords } from '../../words/host-words.ts';
import styles from './fleet.module.css';
import { HostCount } from './host-count.tsx';

/** The most urgent first. */
const actions = [
  'update_urgent',
  'reboot_urgent',
  'update_security',
  'reboot',
  'restart',
  'update',
  'unknown',
  'none',
] as const satisfies readonly (keyof FleetSummary['by_action'])[];

/** What to do, and on how many hosts. */
export function ActionTiles({ fleet }: { readonly fleet: FleetSummary }) {
  return (
    <Panel title="What to do">
      <ul className={styles['tiles']}>
        {actions.map((action) => {
          const count = fleet.by_action[action];
          return (
            <li key={action}>
              <HostCount
                count={count}
                list={{ overall_action: action }}
                className={`${styles['tile']} ${styles[actionWords[action].tone]}`}
              >
                <ActionBadge action={action} />
                <span className={styles['meaning']}>{actionWords[action].meaning}</span>
              </HostCount>
            </li>
          );
        })}
      </ul>
    </Panel>
  );
}
