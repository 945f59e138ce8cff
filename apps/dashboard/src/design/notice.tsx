import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import styles from './notice.module.css';

const icons = { critical: CircleAlert, important: TriangleAlert, good: CircleCheck, neutral: Info };

interface NoticeProps {
  readonly tone: keyof typeof icons;
  readonly children: ReactNode;
}

/** Something to know about what stands below it; screen readers say it when it appears. */
export function Notice({ tone, children }: NoticeProps) {
  const Icon = icons[tone];
  return (
    <div className={`${styles['notice']} ${styles[tone]}`} role={tone === 'critical' ? 'alert' : 'status'}>
      <Icon aria-hidden />
      <div className={styles['body']}>{children}</div>
    </div>
  );
}
