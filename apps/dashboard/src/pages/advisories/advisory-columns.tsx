import type { Advisory } from '@plimsoll/contract';
import { Link } from '@tanstack/react-router';
import { Unseen } from '../../design/states.tsx';
import { type Column, column } from '../../design/table/table-columns.ts';
import { ForeignText } from '../../design/text/foreign-text.tsx';
import { Time } from '../../design/time/time.tsx';
import { ExploitedBadge, SeverityBadge } from '../../words/badges.tsx';
import { epssWords } from '../../words/epss-words.ts';
import styles from './advisories.module.css';

const hosts: Column<Advisory> = column('hosts', 'Hosts', {
  align: 'end',
  width: '4.5rem',
  cell: ({ id, affected_hosts: affected }) =>
    affected === null ? null : (
      <Link to="/advisories/$id" params={{ id }} search={{}} hash="hosts">
        {affected.total}
        <Unseen> affected hosts</Unseen>
      </Link>
    ),
});

/** Columns of a list of advisories. */
export const advisoryColumns: readonly Column<Advisory>[] = [
  column('id', 'Advisory', {
    width: '11rem',
    cell: ({ id }) => (
      <Link to="/advisories/$id" params={{ id }} search={{}} className={styles['id'] ?? ''}>
        <ForeignText text={id} oneLine />
      </Link>
    ),
  }),
  column('title', 'Title', {
    from: 'medium',
    cell: ({ title, withdrawn_at }) => (
      <span className={styles['title']}>
        {withdrawn_at !== null && <strong>Withdrawn: </strong>}
        <ForeignText text={title} />
      </span>
    ),
  }),
  column('severity', 'Severity', {
    width: '8rem',
    cell: ({ severity, known_exploited }) => (
      <span className={styles['badges']}>
        {severity !== null && <SeverityBadge severity={severity} />}
        {known_exploited && <ExploitedBadge />}
      </span>
    ),
  }),
  column('epss', 'EPSS', {
    width: '5rem',
    align: 'end',
    from: 'wide',
    cell: ({ epss }) => (epss === null ? null : epssWords(epss)),
  }),
  column('published', 'Published', {
    width: '8.5rem',
    from: 'medium',
    cell: ({ published_at }) => (published_at === null ? 'not stated' : <Time at={published_at} />),
  }),
];

/** `advisoryColumns` with the number of affected hosts. */
export const affectingColumns: readonly Column<Advisory>[] = [
  ...advisoryColumns.slice(0, 3),
  hosts,
  ...advisoryColumns.slice(3),
];

/** Row id: several feeds may have an advisory with the same id. */
export function advisoryRowId({ id, feed }: Advisory): string {
  return `${feed} ${id}`;
}
