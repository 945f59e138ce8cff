import type { Host } from '@plimsoll/contract';
import { Link } from '@tanstack/react-router';
import { messageOf } from '../../../api/problem.ts';
import { useApi } from '../../../api/queries.ts';
import type { Column } from '../../../design/table/table-columns.ts';
import { printable } from '../../../design/text/printable.ts';
import { dueWords } from '../../../words/host-words.ts';
import { rebootReason } from '../../../words/package-words.ts';
import styles from '../hosts.module.css';

/** Longest text of a reason; a report can bring more. */
const shownCharacters = 200;

/** Why a host needs a reboot. */
export const rebootColumn: Column<Host> = {
  id: 'reboot',
  header: 'Why reboot',
  cell: (host) => <RebootReasons host={host} />,
  width: 'clamp(7rem, 26vw, 26rem)',
};

/** Read for each visible row: a list of hosts has no reasons. */
function RebootReasons({ host: { id } }: { readonly host: Host }) {
  const { data, error } = useApi('/hosts/{id}/kernel-posture', { params: { id } });
  if (error !== null) return <span className={styles['muted']}>{messageOf(error)}</span>;
  if (data === undefined) return <span className={styles['muted']}>Reading…</span>;
  // The list was read a moment before.
  if (data.reboot_reasons.length === 0)
    return <span className={styles['muted']}>Reboot: {dueWords[data.reboot_state].words}</span>;
  const words = data.reboot_reasons
    .map(({ code, detail }) =>
      detail === '' ? rebootReason(code) : `${rebootReason(code)}: ${printable(detail, shownCharacters)}`,
    )
    .join('. ');
  return (
    <Link
      to="/hosts/$id"
      params={{ id }}
      search={{ tab: 'kernel' }}
      className={styles['why'] ?? ''}
      title={words}
    >
      {words}
    </Link>
  );
}
