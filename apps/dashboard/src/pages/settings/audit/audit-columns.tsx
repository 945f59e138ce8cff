import type { AuditEvent } from '@plimsoll/contract';
import { auditActionWords, auditActorWords, targetInWords } from '@plimsoll/words';
import { Link } from '@tanstack/react-router';
import { Button as AriaButton } from 'react-aria-components/Button';
import { type Column, column } from '../../../design/table/table-columns.ts';
import { ForeignText } from '../../../design/text/foreign-text.tsx';
import { Time } from '../../../design/time/time.tsx';
import styles from '../settings.module.css';
import { detailsInWords } from './audit-details.ts';

/** Columns of the audit log. */
export function auditColumns(onOpen: (event: AuditEvent) => void): readonly Column<AuditEvent>[] {
  return [
    column('at', 'When', {
      width: '9rem',
      cell: ({ at }) => (
        <span className={styles['short']}>
          <Time at={at} />
        </span>
      ),
    }),
    column('actor', 'Who', { width: '14rem', cell: (event) => <Actor event={event} /> }),
    column('action', 'What', {
      width: '14rem',
      cell: (event) => (
        <AriaButton className={styles['press'] ?? ''} onPress={() => onOpen(event)}>
          {auditActionWords[event.action] ?? event.action}
        </AriaButton>
      ),
    }),
    column('target', 'To what', { width: '14rem', cell: (event) => <Target event={event} /> }),
    column('changes', 'Details', {
      width: '18rem',
      from: 'medium',
      cell: ({ details }) => (
        <span className={styles['text']}>
          <ForeignText text={detailsInWords(details)} oneLine />
        </span>
      ),
    }),
    column('address', 'From', {
      width: '10rem',
      from: 'wide',
      cell: ({ ip_address }) => <span className={styles['short']}>{ip_address ?? '–'}</span>,
    }),
  ];
}

/** The actor, linked to all events of this actor. */
function Actor({ event: { actor_kind, actor_name } }: { readonly event: AuditEvent }) {
  if (actor_name === '') return auditActorWords[actor_kind];
  return (
    <span className={styles['text']} title={auditActorWords[actor_kind]}>
      <Link to="/settings" search={{ tab: 'audit', actor: actor_name }}>
        <ForeignText text={actor_name} oneLine />
      </Link>
    </span>
  );
}

/** The target, linked to all events about this target. */
function Target({ event: { target_id, target_name, target_kind } }: { readonly event: AuditEvent }) {
  if (target_id === null) return '–';
  return (
    <span className={styles['text']}>
      <Link to="/settings" search={{ tab: 'audit', target: target_id }}>
        <ForeignText text={targetInWords(target_kind, target_id, target_name)} oneLine />
      </Link>
    </span>
  );
}
