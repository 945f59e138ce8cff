import type { ReactNode } from 'react';
import styles from './chart.module.css';

/** The numbers of a chart as a table, folded. */
export function ChartNumbers({ children }: { readonly children: ReactNode }) {
  return (
    <details className={styles['numbers']}>
      <summary>Show the numbers as a table</summary>
      {children}
    </details>
  );
}
