import { ForeignText } from '../../design/text/foreign-text.tsx';
import styles from './host.module.css';

/** A name or version of a host in a table cell: one line of limited width. */
export function TextCell({ text, mono = false }: { readonly text: string; readonly mono?: boolean }) {
  return (
    <span className={styles['text']}>
      <ForeignText text={text} oneLine mono={mono} />
    </span>
  );
}
