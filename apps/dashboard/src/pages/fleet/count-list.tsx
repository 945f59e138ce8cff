import type { ReactNode } from 'react';
import type { HostsSearch } from '../hosts/hosts-search.ts';
import styles from './fleet.module.css';
import { HostCount } from './host-count.tsx';

/** One line: a number of hosts, what they have in common, and what it means. */
export interface CountLine {
  readonly key: string;
  readonly count: number;
  readonly list: HostsSearch;
  readonly what: ReactNode;
  readonly meaning: string;
  /** Hosts whose state is not known, and their list; a zero is then `?`. */
  readonly unknown?: { readonly count: number; readonly list: HostsSearch };
  /** False: a zero is `?` although no host is listed as unknown, for example because reports are old. */
  readonly isKnown?: boolean;
}

/** Lines with numbers of hosts; `allZero` replaces them if all are known zeros. */
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
