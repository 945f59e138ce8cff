import { Link } from '@tanstack/react-router';
import { messageOf } from '../../../api/problem.ts';
import { Button } from '../../../design/button.tsx';
import { Notice } from '../../../design/notice.tsx';
import { hostsInWords } from '../../../design/number-words.ts';
import { ForeignText } from '../../../design/text/foreign-text.tsx';
import styles from '../hosts.module.css';
import type { SelectedHost } from '../table/selected-host.ts';
import type { BulkAction } from './bulk-actions.ts';
import { leftOf } from './bulk-progress.ts';
import type { BulkState } from './use-bulk.ts';

const shownFailures = 100;

interface BulkOutcomeProps {
  readonly action: BulkAction;
  /** The selection. */
  readonly hosts: readonly SelectedHost[];
  readonly state: Extract<BulkState, { kind: 'ended' }>;
  readonly onClose: () => void;
}

/** The hosts on which the action failed, with the reasons; they stay selected for a retry. */
export function BulkOutcome({ action, hosts, state, onClose }: BulkOutcomeProps) {
  const { of, progress, isStopped } = state;
  const { done, failed } = progress;
  return (
    <>
      <Notice tone={failed.length > 0 ? 'critical' : 'neutral'}>
        {isStopped && 'Stopped. '}
        {done.length} of {hostsInWords(of)} {action.done}
        {failed.length > 0 && `, ${failed.length} failed`}.
        {leftOf(hosts, progress).length > 0 && ' The other hosts stay selected.'}
      </Notice>
      {failed.length > 0 && (
        <ul className={styles['names']} aria-label="Hosts that failed">
          {failed.slice(0, shownFailures).map(({ host, error }) => (
            <li key={host.id}>
              <Link to="/hosts/$id" params={{ id: host.id }}>
                <ForeignText text={host.display_name} oneLine />
              </Link>
              : <ForeignText text={messageOf(error)} />
            </li>
          ))}
          {failed.length > shownFailures && <li>and {failed.length - shownFailures} more</li>}
        </ul>
      )}
      <div className={styles['buttons']}>
        <Button look="primary" onPress={onClose}>
          Close
        </Button>
      </div>
    </>
  );
}
