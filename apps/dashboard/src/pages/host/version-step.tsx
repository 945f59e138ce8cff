import { ForeignText } from '../../design/foreign-text.tsx';
import { Unseen } from '../../design/states.tsx';
import styles from './host.module.css';

interface VersionStepProps {
  /** null: not installed before. */
  readonly from: string | null;
  /** null: there is none. */
  readonly to: string | null;
}

/** From one version to another. */
export function VersionStep({ from, to }: VersionStepProps) {
  return (
    <span className={styles['text']}>
      {from === null ? 'new' : <ForeignText text={from} oneLine mono />}
      {to !== null && (
        <>
          {' '}
          <span aria-hidden>→</span>
          <Unseen>to</Unseen> <ForeignText text={to} oneLine mono />
        </>
      )}
    </span>
  );
}
