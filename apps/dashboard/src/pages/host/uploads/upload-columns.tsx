import type { Upload } from '@plimsoll/contract';
import { modeWords, uploadWords } from '@plimsoll/words';
import { Badge } from '../../../design/badge.tsx';
import type { Column } from '../../../design/table/table-columns.ts';
import { ExactTime } from '../../../design/time/time.tsx';
import styles from '../host.module.css';
import { HostLink } from '../host-link.tsx';
import { LineErrors } from '../line-errors.tsx';

/** Columns of a list of uploads. */
export const uploadColumns: readonly Column<Upload>[] = [
  {
    id: 'received',
    header: 'Received',
    width: '13rem',
    cell: ({ received_at }) => <ExactTime at={received_at} />,
    sortBy: ({ received_at }) => Date.parse(received_at),
  },
  {
    id: 'state',
    header: 'State',
    width: '9rem',
    cell: ({ state }) => (
      <Badge tone={uploadWords[state].tone} title={uploadWords[state].meaning}>
        {uploadWords[state].words}
      </Badge>
    ),
    sortBy: ({ state }) => state,
  },
  { id: 'outcome', header: 'Outcome', width: '30rem', cell: (upload) => <Outcome upload={upload} /> },
  {
    id: 'door',
    header: 'By',
    width: '8rem',
    from: 'medium',
    cell: ({ door }) => modeWords[door],
    sortBy: ({ door }) => door,
  },
];

function Outcome({ upload }: { readonly upload: Upload }) {
  const { state, errors, notes, error_code, refusals, snapshot_id } = upload;
  if (errors.length > 0 || error_code !== null) {
    return (
      <span className={`${styles['words']} ${styles['tight']}`}>
        {error_code !== null && <strong>{codeInWords(error_code)}</strong>}
        {refusals > 0 && (
          <span>{refusals === 1 ? '1 upload was refused' : `${refusals} uploads were refused`}</span>
        )}
        <LineErrors errors={errors} />
      </span>
    );
  }
  if (snapshot_id !== null) {
    return (
      <span className={`${styles['words']} ${styles['tight']}`}>
        <HostLink search={{ tab: 'history' }}>Snapshot</HostLink>
        <LineErrors errors={notes} />
      </span>
    );
  }
  return uploadWords[state].meaning;
}

function codeInWords(code: string): string {
  const words = code.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
