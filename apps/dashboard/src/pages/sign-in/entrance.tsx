import { type ReactNode, useEffect } from 'react';
import styles from './sign-in.module.css';

interface EntranceProps {
  readonly title: string;
  readonly lead: ReactNode;
  readonly children: ReactNode;
}

/** The frame of the pages without a session. */
export function Entrance({ title, lead, children }: EntranceProps) {
  useEffect(() => {
    document.title = `${title} · Plimsoll`;
  }, [title]);
  return (
    <main className={styles['place']}>
      <div className={styles['card']}>
        <div className={styles['brand']}>
          <img src="/plimsoll.svg" alt="" />
          <h1>{title}</h1>
        </div>
        <p className={styles['lead']}>{lead}</p>
        {children}
      </div>
    </main>
  );
}
