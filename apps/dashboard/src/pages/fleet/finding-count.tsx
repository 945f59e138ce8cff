import { Link } from '@tanstack/react-router';
import { countInWords } from '../../words/knowledge.ts';
import type { HostsSearch } from '../hosts/hosts-search.ts';
import styles from './fleet.module.css';

interface FindingCountProps {
  readonly count: number;
  readonly list: HostsSearch;
  /** Whether zero is known to be zero; otherwise it is `?`. */
  readonly isKnown?: boolean;
}

/** A number of findings, linked to their hosts, most findings first. */
export function FindingCount({ count, list, isKnown = true }: FindingCountProps) {
  return (
    <Link
      to="/hosts"
      search={{ approval_status: 'approved', ...list }}
      className={`${styles['findings']} ${count === 0 ? styles['zero'] : ''}`}
    >
      {countInWords(count, isKnown)}
    </Link>
  );
}
