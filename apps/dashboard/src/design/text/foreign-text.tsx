import styles from './foreign-text.module.css';
import { printable } from './printable.ts';

interface ForeignTextProps {
  readonly text: string;
  /** Where it stands on one line, cut off with an ellipsis, the rest in its tooltip. */
  readonly oneLine?: boolean;
  readonly mono?: boolean;
}

/** Text that hosts and feeds wrote: isolated, so that its direction turns nothing around it, and never unbounded. */
export function ForeignText({ text, oneLine = false, mono = false }: ForeignTextProps) {
  const shown = printable(text, oneLine ? 200 : 2_000);
  const classes = [styles['text'], oneLine ? styles['line'] : '', mono ? styles['mono'] : ''].join(' ');
  return (
    <bdi className={classes} title={oneLine && shown.length > 24 ? printable(text, 600) : undefined}>
      {shown}
    </bdi>
  );
}
