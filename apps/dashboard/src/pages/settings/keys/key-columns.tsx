import type { ApiKey } from '@plimsoll/contract';
import { roleWords } from '@plimsoll/words';
import { api } from '../../../api/client.ts';
import { useChange } from '../../../api/queries.ts';
import { Badge } from '../../../design/badge.tsx';
import { ConfirmButton } from '../../../design/dialog.tsx';
import { type Column, column } from '../../../design/table/table-columns.ts';
import { ForeignText } from '../../../design/text/foreign-text.tsx';
import { printable } from '../../../design/text/printable.ts';
import { Time } from '../../../design/time/time.tsx';
import styles from '../settings.module.css';

/** Columns of the list of API keys. `own`: id of the signed-in user. */
export function keyColumns(own: string): readonly Column<ApiKey>[] {
  return [
    column('name', 'Name', {
      width: '16rem',
      cell: ({ name, user_id, user_email }) => (
        <span className={styles['inline']}>
          <ForeignText text={name} oneLine />
          {user_id !== own && <ForeignText text={`of ${user_email}`} oneLine />}
        </span>
      ),
    }),
    ...keyFacts,
    column('actions', 'Actions', {
      align: 'end',
      width: '7rem',
      cell: (key) => <EndKey apiKey={key} />,
    }),
  ];
}

const keyFacts: readonly Column<ApiKey>[] = [
  column('rights', 'Rights, at most', {
    width: '12rem',
    cell: ({ role, tags }) => (
      <span className={styles['text']}>
        {roleWords[role].words}
        {tags !== null && (
          <>
            , hosts tagged <ForeignText text={tags.join(', ')} oneLine />
          </>
        )}
      </span>
    ),
  }),
  column('networks', 'From', {
    width: '10rem',
    from: 'wide',
    cell: ({ networks }) => (networks.length === 0 ? 'everywhere' : networks.join(', ')),
  }),
  column('used', 'Last used', {
    width: '9rem',
    from: 'medium',
    cell: ({ last_used_at }) => (last_used_at === null ? 'never' : <Time at={last_used_at} />),
  }),
  column('expires', 'Expires', {
    width: '10rem',
    cell: ({ expires_at }) =>
      Date.parse(expires_at) <= Date.now() ? <Badge tone="neutral">Expired</Badge> : <Time at={expires_at} />,
  }),
];

/** Ends an API key, after a question. */
function EndKey({ apiKey }: { readonly apiKey: ApiKey }) {
  const end = useChange(() => api.delete('/api-keys/{id}', { params: { id: apiKey.id } }), ['/api-keys']);
  return (
    <ConfirmButton
      button="End"
      look="quiet"
      label={`End the key ${printable(apiKey.name, 60)}`}
      title="End this API key?"
      confirm="End the key"
      onConfirm={() => end.mutateAsync()}
      done="The API key has ended."
    >
      <p>
        Every script that uses{' '}
        <strong>
          <ForeignText text={apiKey.name} oneLine />
        </strong>{' '}
        is refused from now on. It cannot be undone.
      </p>
    </ConfirmButton>
  );
}
