import type { FleetSummary } from '@plimsoll/contract';
import { actionOrder, actionWords } from '@plimsoll/words';
import { Panel } from '../../design/page/page.tsx';
import { ActionBadge } from '../../words/badges.tsx';
import { isActionKnown, unknownParts } from '../../words/fleet-knowledge.ts';
import styles from './fleet.module.css';
import { HostCount } from './host-count.tsx';

type Action = (typeof actionOrder)[number];

/** A tile for each recommended action of some host, with the number of hosts; a line names the other actions. */
export function ActionTiles({ fleet }: { readonly fleet: FleetSummary }) {
  const { by_action } = fleet;
  const isShown = (action: Action) => by_action[action] > 0 || action === 'none';
  const idle = actionOrder.filter((action) => !isShown(action));
  return (
    <Panel title="What to do">
      <ul className={styles['tiles']}>
        {actionOrder.filter(isShown).map((action) => (
          <li key={action}>
            <HostCount
              count={by_action[action]}
              list={{ overall_action: action }}
              className={`${styles['tile']} ${styles[actionWords[action].tone]}`}
            >
              <ActionBadge action={action} />
              <span className={styles['meaning']}>{actionWords[action].meaning}</span>
            </HostCount>
          </li>
        ))}
      </ul>
      {idle.length > 0 && (
        <ul className={styles['idle']} aria-label="Actions that no host is known to need">
          {idle.map((action) => (
            <li key={action}>
              <HostCount count={0} list={{ overall_action: action }} isKnown={isActionKnown(action, fleet)}>
                {actionWords[action].words}
              </HostCount>
            </li>
          ))}
        </ul>
      )}
      <ActionsUnknown fleet={fleet} />
    </Panel>
  );
}

/** On how many hosts an action may be missing because data is missing. */
function ActionsUnknown({ fleet }: { readonly fleet: FleetSummary }) {
  const parts = unknownParts(fleet);
  return (
    <p className={styles['counting']}>
      Each host is counted once, at its most urgent action.
      {parts.length > 0 && ' More may be needed. Not known: '}
      {parts.map(({ what, hosts, list }, place) => (
        <span key={what}>
          {place > 0 && ', '}
          {what} of <HostCount count={hosts} list={list} />
        </span>
      ))}
      {parts.length > 0 && (parts.at(-1)?.hosts === 1 ? ' host.' : ' hosts.')}
    </p>
  );
}
