import { type ReactNode, useState } from 'react';
import styles from './host.module.css';

/** A list folded behind its number; rendered when it is opened. */
export function Fold({ words, content }: { readonly words: ReactNode; readonly content: () => ReactNode }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details className={styles['details']} onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary>{words}</summary>
      {isOpen && content()}
    </details>
  );
}
