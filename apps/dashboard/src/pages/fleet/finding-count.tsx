import { Link } from '@tanstack/react-router';
import type { HostsSearch } from '../hosts/hosts-search.ts';
import styles from './fleet.module.css';

const grouped = new Intl.NumberFormat('en');

/** A number of findings that leads to the hosts they are on, those with the most of them first. */
export function FindingCount({ count, list }: { readonly count: number; readonly list: HostsSearch }) {
  return (
    <Link
      to="/hosts"
      search={{ approval_status: 'approved', ...list }}
      className={`${styles['findings']} ${count === 0 ? styles['zero'] : ''}`}
    >
      {grouped.format(count)}
    </Link>
  );
}
