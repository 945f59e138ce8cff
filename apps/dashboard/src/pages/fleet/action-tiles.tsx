import type { FleetSummary } from '@plimsoll/contract';
import type { Gap } from '@plimsoll/model';
import { actionOf, actionOrder, actionWords, gapOrder } from '@plimsoll/words';
import { Panel } from '../../design/page/page.tsx';
import { ActionBadge, HostActionBadge } from '../../words/badges.tsx';
import { isActionKnown, unknownParts } from '../../words/fleet-knowledge.ts';
import styles from './fleet.module.css';
import { HostCount } from './host-count.tsx';

type Action = (typeof actionOrder)[number];

/** A tile for each recommended action of some host, with the number of hosts; a line names the other actions. */
export function ActionTiles({ fleet }: { readonly fleet: FleetSummary }) {
  const { by_action } = fleet;
  const isShown = (action: Action) => by_action[action] > 0 && action !== 'none';
  const idle = actionOrder.filter((action) => !isShown(action) && action !== 'none');
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
        <ClearTile hosts={fleet.clear.known} gaps={[]} list={{ overall_known: 'true' }} />
        <ClearTile hosts={fleet.clear.as_far_as_known} gaps={gapOrder} list={{ overall_known: 'false' }} />
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

interface ClearTileProps {
  readonly hosts: number;
  /** Of such hosts. */
  readonly gaps: readonly Gap[];
  readonly list: Readonly<Record<string, string>>;
}

/** Hosts with nothing to do: of which everything is known, or not everything. */
function ClearTile({ hosts, gaps, list }: ClearTileProps) {
  const host = { overall_action: 'none', gaps } as const;
  const { tone, meaning } = actionOf(host);
  return (
    <li>
      <HostCount
        count={hosts}
        list={{ overall_action: 'none', ...list }}
        className={`${styles['tile']} ${styles[tone]}`}
      >
        <HostActionBadge host={host} />
        <span className={styles['meaning']}>{meaning}</span>
      </HostCount>
    </li>
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
