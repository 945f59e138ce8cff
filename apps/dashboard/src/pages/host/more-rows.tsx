import { Button } from '../../design/button.tsx';
import styles from './host.module.css';

interface MoreRowsProps {
  readonly shown: number;
  readonly total: number;
  readonly isPending: boolean;
  readonly onMore: () => void;
}

/** Button that reads the next page of a list; nothing at the end of the list. */
export function MoreRows({ shown, total, isPending, onMore }: MoreRowsProps) {
  if (shown >= total) return null;
  return (
    <div className={`${styles['more']} ${styles['inline']}`}>
      <Button isPending={isPending} onPress={onMore}>
        Show older
      </Button>
      <span className={styles['muted']}>
        {shown} of {total}
      </span>
    </div>
  );
}
