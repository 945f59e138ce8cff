import { Label } from 'react-aria-components/Label';
import { ProgressBar } from 'react-aria-components/ProgressBar';
import styles from './progress.module.css';

/** A progress bar. `part`: 0 to 1; null if unknown. */
export function Progress({ label, part }: { readonly label: string; readonly part: number | null }) {
  return (
    <ProgressBar
      className={styles['progress'] ?? ''}
      isIndeterminate={part === null}
      value={(part ?? 0) * 100}
    >
      {({ valueText }) => (
        <>
          <div className={styles['words']}>
            <Label>{label}</Label>
            <span>{part === null ? '' : valueText}</span>
          </div>
          <div className={styles['track']}>
            <div
              className={`${styles['fill']} ${part === null ? styles['endless'] : ''}`}
              style={part === null ? {} : { transform: `scaleX(${part})` }}
            />
          </div>
        </>
      )}
    </ProgressBar>
  );
}
