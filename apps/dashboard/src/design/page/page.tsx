import { type ReactNode, useEffect, useId } from 'react';
import { InPanel } from './heading-below.tsx';
import styles from './page.module.css';

interface PageProps {
  readonly title: string;
  /** The main heading, if it differs from the window title. */
  readonly heading?: ReactNode;
  readonly lead?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A page with its main heading and window title. */
export function Page({ title, heading, lead, actions, children }: PageProps) {
  useEffect(() => {
    document.title = `${title.slice(0, 100)} · Plimsoll`;
  }, [title]);
  return (
    <div className={styles['page']}>
      <header className={styles['head']}>
        <div className={styles['words']}>
          <h1>{heading ?? title}</h1>
          {lead !== undefined && <div className={styles['lead']}>{lead}</div>}
        </div>
        {actions !== undefined && <div className={styles['actions']}>{actions}</div>}
      </header>
      {children}
    </div>
  );
}

interface PanelProps {
  readonly title: string;
  readonly actions?: ReactNode;
  /** Whether the content reaches the panel's edges, as tables do. */
  readonly flush?: boolean;
  readonly children: ReactNode;
}

/** A section of a page with its own heading. */
export function Panel({ title, actions, flush = false, children }: PanelProps) {
  const id = useId();
  return (
    <section className={styles['panel']} aria-labelledby={id}>
      <div className={styles['panelHead']}>
        <h2 id={id}>{title}</h2>
        {actions !== undefined && <div className={styles['actions']}>{actions}</div>}
      </div>
      <InPanel value>
        <div className={`${styles['panelBody']} ${flush ? styles['flush'] : ''}`}>{children}</div>
      </InPanel>
    </section>
  );
}
