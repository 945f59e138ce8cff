import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import styles from './notice.module.css';

const icons = { critical: CircleAlert, important: TriangleAlert, good: CircleCheck, neutral: Info };

interface NoticeProps {
  readonly tone: keyof typeof icons;
  readonly children: ReactNode;
}

/** A message about the content below it. Screen readers announce it when it appears. */
export function Notice({ tone, children }: NoticeProps) {
  const Icon = icons[tone];
  return (
    <div className={`${styles['notice']} ${styles[tone]}`} role={tone === 'critical' ? 'alert' : 'status'}>
      <Icon aria-hidden />
      <div className={styles['body']}>{children}</div>
    </div>
  );
}
