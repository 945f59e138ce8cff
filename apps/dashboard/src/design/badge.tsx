import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import styles from './badge.module.css';

/** How bad what a badge says is; the words and the icon say it, too. */
export type Tone = 'critical' | 'important' | 'moderate' | 'low' | 'good' | 'neutral';

interface BadgeProps {
  readonly tone: Tone;
  readonly icon?: LucideIcon;
  readonly title?: string | undefined;
  readonly children: ReactNode;
}

/** A word or two on a coloured ground. */
export function Badge({ tone, icon: Icon, title, children }: BadgeProps) {
  return (
    <span className={`${styles['badge']} ${styles[tone]}`} title={title}>
      {Icon && <Icon aria-hidden />}
      {children}
    </span>
  );
}
