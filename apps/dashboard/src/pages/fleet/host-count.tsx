import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { HostsSearch } from '../hosts/hosts-search.ts';
import styles from './fleet.module.css';

const grouped = new Intl.NumberFormat('en');

interface HostCountProps {
  readonly count: number;
  /** The list that has so many hosts, by the parameters of the hosts' page; of approved ones unless it says else. */
  readonly list: HostsSearch;
  readonly className?: string | undefined;
  readonly children?: ReactNode;
}

/** A number of hosts that leads to them. */
export function HostCount({ count, list, className, children }: HostCountProps) {
  return (
    <Link
      to="/hosts"
      search={{ approval_status: 'approved', ...list }}
      className={`${styles['count']} ${count === 0 ? styles['zero'] : ''} ${className ?? ''}`}
    >
      <strong className={styles['number']}>{grouped.format(count)}</strong> {children}
    </Link>
  );
}
