import type { AuditEvent } from '@plimsoll/contract';
import { auditActionWords, auditActorWords, auditTargetWords, targetInWords } from '@plimsoll/words';
import { Link } from '@tanstack/react-router';
import { MoveRight } from 'lucide-react';
import { Dialog } from '../../../design/dialog.tsx';
import { Facts } from '../../../design/page/facts.tsx';
import { Unseen } from '../../../design/states.tsx';
import { ForeignText } from '../../../design/text/foreign-text.tsx';
import { printable } from '../../../design/text/printable.ts';
import { ExactTime } from '../../../design/time/time.tsx';
import styles from '../settings.module.css';
import { type AuditDetail, auditDetails } from './audit-details.ts';

interface AuditDrawerProps {
  readonly event: AuditEvent;
  readonly onClose: () => void;
}

/** All data of one event. */
export function AuditDrawer({ event, onClose }: AuditDrawerProps) {
  const { action, at, actor_kind, actor_name, ip_address, request_id, details } = event;
  const rows = auditDetails(details);
  const facts = [
    ['When', <ExactTime key="at" at={at} />],
    [
      `By ${auditActorWords[actor_kind].toLowerCase()}`,
      actor_name === '' ? '–' : <ForeignText key="who" text={actor_name} />,
    ],
    ['From', ip_address ?? '–'],
    ...targetFacts(event),
    ['Action', <code key="action">{action}</code>],
    ['Request id', request_id === null ? '–' : <ForeignText key="request" text={request_id} mono />],
  ] as const;
  return (
    <Dialog title={titleOf(event)} isOpen onClose={onClose} side>
      <Facts facts={facts} />
      {rows.length > 0 && (
        <section className={styles['aside']} aria-label="Details">
          <h3>Details</h3>
          <dl className={styles['changes']}>
            {rows.map((one) => (
              <div key={one.name} className={styles['change']}>
                <dt>{one.name}</dt>
                <dd>
                  <Detail detail={one} />
                </dd>
              </div>
            ))}
          </dl>
        </section>
      )}
    </Dialog>
  );
}

/** Actor and action as a sentence. */
function titleOf({ action, actor_kind, actor_name }: AuditEvent): string {
  const actor = actor_name === '' ? auditActorWords[actor_kind] : printable(actor_name, 80);
  return `${actor} ${auditActionWords[action] ?? action}`;
}

function targetFacts({ target_kind, target_id, target_name, host_id, action }: AuditEvent) {
  if (target_kind === null || target_id === null) return [];
  const name = (
    <ForeignText text={target_name ?? `${targetInWords(target_kind, target_id, null)}, id ${target_id}`} />
  );
  const isThere = host_id !== null && action !== 'host.deleted';
  return [
    [
      auditTargetWords[target_kind],
      isThere ? (
        <Link key="target" to="/hosts/$id" params={{ id: host_id }}>
          {name}
        </Link>
      ) : (
        name
      ),
    ],
  ] as const;
}

function Detail({ detail }: { readonly detail: AuditDetail }) {
  if (detail.kind === 'value') return <ForeignText text={detail.value} />;
  return (
    <span className={styles['inline']}>
      <Unseen>was </Unseen>
      <span className={styles['old']}>
        <ForeignText text={detail.from} />
      </span>
      <MoveRight aria-hidden size={16} />
      <Unseen> is now </Unseen>
      <ForeignText text={detail.to} />
    </span>
  );
}
