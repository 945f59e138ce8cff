import styles from './foreign-text.module.css';
import { printable } from './printable.ts';

interface ForeignTextProps {
  readonly text: string;
  /** Shows one line, cut off with an ellipsis, and the whole text in the tooltip. */
  readonly oneLine?: boolean;
  readonly mono?: boolean;
}

/**
 * Text of a host or a feed: isolated, so that its direction does not affect the text around it, and of limited length.
 */
export function ForeignText({ text, oneLine = false, mono = false }: ForeignTextProps) {
  const shown = printable(text, oneLine ? 200 : 2_000);
  const classes = [styles['text'], oneLine ? styles['line'] : '', mono ? styles['mono'] : ''].join(' ');
  return (
    <bdi className={classes} title={oneLine && shown.length > 24 ? printable(text, 600) : undefined}>
      {shown}
    </bdi>
  );
}
