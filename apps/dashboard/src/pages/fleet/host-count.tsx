import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { countInWords } from '../../words/knowledge.ts';
import type { HostsSearch } from '../hosts/hosts-search.ts';
import styles from './fleet.module.css';

interface HostCountProps {
  readonly count: number;
  /** Search parameters of the list with these hosts; approved hosts unless they say otherwise. */
  readonly list: HostsSearch;
  readonly className?: string | undefined;
  /** Whether zero is known to be zero; otherwise it is `?`. */
  readonly isKnown?: boolean;
  readonly children?: ReactNode;
}

/** A number of hosts, linked to their list. */
export function HostCount({ count, list, className, isKnown = true, children }: HostCountProps) {
  return (
    <Link
      to="/hosts"
      search={{ approval_status: 'approved', ...list }}
      className={`${styles['count']} ${count === 0 ? styles['zero'] : ''} ${className ?? ''}`}
    >
      <strong className={styles['number']}>{countInWords(count, isKnown)}</strong>
      {children !== undefined && <> {children}</>}
    </Link>
  );
}
