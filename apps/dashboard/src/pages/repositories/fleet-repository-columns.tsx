import type { FleetRepository } from '@plimsoll/contract';
import { Badge } from '../../design/badge.tsx';
import { groupedNumber } from '../../design/number-words.ts';
import { type Column, column } from '../../design/table/table-columns.ts';
import { ForeignText } from '../../design/text/foreign-text.tsx';
import { Time } from '../../design/time/time.tsx';
import {
  fleetRepositoryName,
  fleetRepositoryState,
  newestSourceWords,
} from '../../words/repository-words.ts';
import styles from './repositories.module.css';

/** Columns of the fleet's repositories. */
export const fleetRepositoryColumns: readonly Column<FleetRepository>[] = [
  column('name', 'Repository', {
    width: '18rem',
    cell: (repository) => (
      <span className={styles['name']}>
        <ForeignText text={fleetRepositoryName(repository)} oneLine />
      </span>
    ),
  }),
  column('outdated', 'Outdated on', {
    width: '9rem',
    cell: (repository) => {
      const { words, tone, meaning } = fleetRepositoryState(repository);
      return (
        <Badge tone={tone} title={meaning}>
          {words}
        </Badge>
      );
    },
  }),
  column('hosts', 'Hosts', {
    width: '6rem',
    align: 'end',
    cell: ({ hosts }) => groupedNumber(hosts),
  }),
  column('newest', 'Newest known copy', {
    width: '13rem',
    from: 'medium',
    cell: (repository) =>
      repository.newest_known_at === null ? (
        'Not known'
      ) : (
        <>
          <Time at={repository.newest_known_at} />
          <span className={styles['source']}>{newestSourceWords(repository)}</span>
        </>
      ),
  }),
  column('oldest', 'Oldest copy', {
    width: '10rem',
    from: 'medium',
    cell: ({ oldest_published_at }) =>
      oldest_published_at === null ? 'Not known' : <Time at={oldest_published_at} />,
  }),
  column('origin', 'Origin', {
    width: '10rem',
    from: 'wide',
    cell: ({ origin }) => (
      <span className={styles['text']}>
        <ForeignText text={origin} oneLine />
      </span>
    ),
  }),
  column('address', 'Address', {
    width: '20rem',
    from: 'wide',
    cell: ({ address }) =>
      address === '' ? (
        'Any mirror'
      ) : (
        <span className={styles['text']}>
          <ForeignText text={address} oneLine mono />
        </span>
      ),
  }),
];
