import { Unseen } from '../../design/states.tsx';
import { ForeignText } from '../../design/text/foreign-text.tsx';
import { alignEpochs } from '../../words/version-words.ts';
import styles from './host.module.css';

interface VersionStepProps {
  /** Null: not installed before. */
  readonly from: string | null;
  /** Null: no new version. */
  readonly to: string | null;
}

/** Two versions with an arrow between them. */
export function VersionStep(step: VersionStepProps) {
  const [from, to] = alignEpochs([step.from, step.to]);
  return (
    <span className={styles['step']}>
      {from === null ? 'new' : <ForeignText text={from} mono />}
      {to !== null && (
        <>
          {' '}
          <span aria-hidden>→</span>
          <Unseen>to</Unseen> <ForeignText text={to} mono />
        </>
      )}
    </span>
  );
}
