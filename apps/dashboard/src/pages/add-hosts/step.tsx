import { type ReactNode, useEffect, useRef } from 'react';
import { Panel } from '../../design/page/page.tsx';
import styles from './add-hosts.module.css';

interface StepProps {
  readonly number: number;
  readonly title: string;
  readonly actions?: ReactNode;
  /** Whether the step replaces the finished one and takes over the keyboard focus. */
  readonly takesFocus?: boolean;
  readonly children: ReactNode;
}

/** One step of adding a host. */
export function Step({ number, title, actions, takesFocus = false, children }: StepProps) {
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (takesFocus) frame.current?.focus();
  }, [takesFocus]);
  return (
    <div ref={frame} tabIndex={-1} className={styles['step']}>
      <Panel title={`${number}. ${title}`} actions={actions}>
        <div className={styles['content']}>{children}</div>
      </Panel>
    </div>
  );
}
