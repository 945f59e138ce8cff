import { Button } from '../../../design/button.tsx';
import { Progress } from '../../../design/progress.tsx';
import styles from '../hosts.module.css';
import type { BulkAction } from './bulk-actions.ts';
import type { BulkState } from './use-bulk.ts';

interface BulkRunningProps {
  readonly action: BulkAction;
  readonly state: Extract<BulkState, { kind: 'running' }>;
  readonly onStop: () => void;
}

/** Progress of the action, with a stop button. */
export function BulkRunning({ action, state: { of, progress }, onStop }: BulkRunningProps) {
  const ended = progress.done.length + progress.failed.length;
  return (
    <>
      <Progress label={`${action.words}: ${ended} of ${of}`} part={ended / of} />
      {progress.failed.length > 0 && <p>{progress.failed.length} failed so far.</p>}
      <div className={styles['buttons']}>
        <Button onPress={onStop}>Stop</Button>
      </div>
    </>
  );
}
