import type { Tone } from '@plimsoll/words';
import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import styles from './badge.module.css';

interface BadgeProps {
  readonly tone: Tone;
  readonly icon?: LucideIcon;
  readonly title?: string | undefined;
  readonly children: ReactNode;
}

/** A short label on a coloured background. */
export function Badge({ tone, icon: Icon, title, children }: BadgeProps) {
  return (
    <span className={`${styles['badge']} ${styles[tone]}`} title={title}>
      {Icon && <Icon aria-hidden />}
      {children}
    </span>
  );
}
