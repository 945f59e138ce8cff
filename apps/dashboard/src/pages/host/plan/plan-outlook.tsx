import type { UpgradePlan } from '@plimsoll/contract';
import { dueWords, rebootReason } from '@plimsoll/words';
import { Badge } from '../../../design/badge.tsx';
import { Facts } from '../../../design/page/facts.tsx';
import { ForeignText } from '../../../design/text/foreign-text.tsx';
import { Time } from '../../../design/time/time.tsx';
import styles from '../host.module.css';

/** What is needed after an upgrade, and the limits of the forecast. */
export function PlanOutlook({ plan }: { readonly plan: UpgradePlan }) {
  const { reboot, restarts, snapshot_received_at } = plan;
  return (
    <Facts
      facts={[
        [
          'Reboot afterwards',
          <span key="reboot" className={styles['tight']}>
            <Due state={reboot.state} />
            {reboot.reasons.map(({ code, detail }) => (
              <span key={code} className={styles['muted']}>
                {rebootReason(code)}
                {detail !== '' && (
                  <>
                    : <ForeignText text={detail} />
                  </>
                )}
              </span>
            ))}
          </span>,
        ],
        [
          'Restarts afterwards',
          <span key="restarts" className={styles['tight']}>
            <Due state={restarts.state} />
            <span className={styles['muted']}>
              {restarts.services.length > 0 ? (
                <ForeignText text={restarts.services.join(', ')} />
              ) : restarts.state === 'unknown' ? (
                'Known only after the upgrade.'
              ) : null}
            </span>
          </span>,
        ],
        [
          'Based on report',
          <span key="report">
            received <Time at={snapshot_received_at} />
          </span>,
        ],
      ]}
    />
  );
}

function Due({ state }: { readonly state: UpgradePlan['reboot']['state'] }) {
  const { words, tone } = dueWords[state];
  return (
    <span>
      <Badge tone={tone}>{words}</Badge>
    </span>
  );
}
