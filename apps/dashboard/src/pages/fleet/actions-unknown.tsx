import type { FleetSummary } from '@plimsoll/contract';
import { unknownParts } from '../../words/fleet-knowledge.ts';
import styles from './fleet.module.css';
import { HostCount } from './host-count.tsx';

/** On how many hosts an action may be missing because data is missing. */
export function ActionsUnknown({ fleet }: { readonly fleet: FleetSummary }) {
  const parts = unknownParts(fleet);
  return (
    <p className={styles['counting']}>
      Each host is counted once, at its most urgent action.
      {parts.length > 0 && ' More may be needed. Not known: '}
      {parts.map(({ what, hosts, list }, place) => (
        <span key={what}>
          {place > 0 && ', '}
          {what} of {list === null ? <strong>{hosts}</strong> : <HostCount count={hosts} list={list} />}
        </span>
      ))}
      {parts.length > 0 && (parts.at(-1)?.hosts === 1 ? ' host.' : ' hosts.')}
    </p>
  );
}
