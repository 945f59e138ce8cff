import type { Session } from '@plimsoll/contract';
import { sessionMethodWords } from '@plimsoll/words';
import { Badge } from '../../design/badge.tsx';
import { Button } from '../../design/button.tsx';
import { type Column, column } from '../../design/table/table-columns.ts';
import { ForeignText } from '../../design/text/foreign-text.tsx';
import { Time } from '../../design/time/time.tsx';
import { clientInWords } from '../../words/session-words.ts';
import styles from '../settings/settings.module.css';

/** Columns of the list of sessions. */
export function sessionColumns(onEnd: (session: Session) => Promise<void>): readonly Column<Session>[] {
  return [
    column('client', 'Signed in with', {
      width: '18rem',
      cell: (row) => (
        <span className={styles['inline']} title={row.user_agent}>
          <ForeignText text={clientInWords(row)} oneLine />
          {row.current && <Badge tone="low">This session</Badge>}
        </span>
      ),
    }),
    ...placeAndTime,
    column('actions', 'Actions', {
      align: 'end',
      width: '7rem',
      cell: (row) => (
        <Button
          look="quiet"
          aria-label={row.current ? 'Sign out of this session' : `End the session in ${clientInWords(row)}`}
          onPress={() => void onEnd(row)}
        >
          {row.current ? 'Sign out' : 'End'}
        </Button>
      ),
    }),
  ];
}

const placeAndTime: readonly Column<Session>[] = [
  column('address', 'From', {
    width: '11rem',
    from: 'medium',
    cell: ({ ip_address }) => ip_address ?? 'unknown',
  }),
  column('method', 'By', {
    width: '9rem',
    from: 'wide',
    cell: ({ method }) => sessionMethodWords[method],
  }),
  column('started', 'Since', {
    width: '9rem',
    cell: ({ created_at }) => <Time at={created_at} />,
  }),
  column('used', 'Last used', {
    width: '9rem',
    from: 'medium',
    cell: ({ last_used_at }) => <Time at={last_used_at} />,
  }),
  column('ends', 'Ends', {
    width: '9rem',
    from: 'wide',
    cell: ({ ends_at }) => <Time at={ends_at} />,
  }),
];
