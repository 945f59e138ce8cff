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
  /** Hosts of which it is not known, and their list; then a zero is `?`. */
  readonly unknown?: { readonly count: number; readonly list: HostsSearch };
  /** False: zero is `?` although no host is listed as unknown, such as where the reports are old. */
  readonly isKnown?: boolean;
}

/** Numbers of hosts below each other; `allZero` where all are zero and known. */
export function CountList({
  lines,
  allZero,
}: {
  readonly lines: readonly CountLine[];
  readonly allZero: string;
}) {
  if (
    lines.every(({ count, unknown, isKnown = true }) => count === 0 && isKnown && (unknown?.count ?? 0) === 0)
  )
    return <p className={styles['calm']}>{allZero}</p>;
  return (
    <ul className={styles['lines']}>
      {lines.map(({ key, count, list, what, meaning, unknown = { count: 0, list: {} }, isKnown = true }) => (
        <li key={key}>
          <HostCount
            count={count}
            list={list}
            className={styles['line']}
            isKnown={isKnown && unknown.count === 0}
          >
            {what}
            <span className={styles['meaning']}>{meaning}</span>
          </HostCount>
          {unknown.count > 0 && (
            <span className={styles['besides']}>
              <HostCount count={unknown.count} list={unknown.list}>
                not known
              </HostCount>
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}
