import type { ReactNode } from 'react';
import type { HostsSearch } from '../hosts/hosts-search.ts';
import styles from './fleet.module.css';
import { HostCount } from './host-count.tsx';

/** One line: a number of hosts, what they have in common, and what that means. */
export interface CountLine {
  readonly key: string;
  readonly count: number;
  readonly list: HostsSearch;
  readonly what: ReactNode;
  readonly meaning: string;
}

/** Numbers of hosts below each other; where all are zero, the words that say what is good about it. */
export function CountList({
  lines,
  allZero,
}: {
  readonly lines: readonly CountLine[];
  readonly allZero: string;
}) {
  if (lines.every(({ count }) => count === 0)) return <p className={styles['calm']}>{allZero}</p>;
  return (
    <ul className={styles['lines']}>
      {lines.map(({ key, count, list, what, meaning }) => (
        <li key={key}>
          <HostCount count={count} list={list} className={styles['line']}>
            {what}
            <span className={styles['meaning']}>{meaning}</span>
          </HostCount>
        </li>
      ))}
    </ul>
  );
}
