import type { Host, KernelPosture } from '@plimsoll/contract';
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
/** Most services that a row names. */
const shownServices = 20;
const width = 'clamp(7rem, 26vw, 26rem)';

/** Why a host needs a reboot. */
export const rebootColumn: Column<Host> = {
  id: 'reboot',
  header: 'Why reboot',
  cell: (host) => <DueReasons host={host} wordsOf={rebootWords} />,
  width,
};

/** The services of a host that need a restart. */
export const restartColumn: Column<Host> = {
  id: 'restart',
  header: 'Services to restart',
  cell: (host) => <DueReasons host={host} wordsOf={restartWords} />,
  width,
};

interface DueReasonsProps {
  readonly host: Host;
  readonly wordsOf: (kernels: KernelPosture) => string;
}

/** Read for each visible row: a list of hosts has no reasons. */
function DueReasons({ host: { id }, wordsOf }: DueReasonsProps) {
  const { data, error } = useApi('/hosts/{id}/kernel-posture', { params: { id } });
  if (error !== null) return <span className={styles['muted']}>{messageOf(error)}</span>;
  if (data === undefined) return <span className={styles['muted']}>Reading…</span>;
  const words = wordsOf(data);
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

function rebootWords({ reboot_reasons, reboot_state }: KernelPosture): string {
  // The list was read a moment before.
  if (reboot_reasons.length === 0) return `Reboot: ${dueWords[reboot_state].words}`;
  return reboot_reasons
    .map(({ code, detail }) =>
      detail === '' ? rebootReason(code) : `${rebootReason(code)}: ${printable(detail, shownCharacters)}`,
    )
    .join('. ');
}

function restartWords({ services_to_restart, restart_state }: KernelPosture): string {
  const names = [...new Set(services_to_restart.map(({ name }) => name))];
  if (names.length === 0)
    return restart_state === 'needed' ? 'Some; names not known' : `Restart: ${dueWords[restart_state].words}`;
  const left = names.length - shownServices;
  const shown = names.slice(0, shownServices).map((name) => printable(name, 60));
  return `${shown.join(', ')}${left > 0 ? ` and ${left} more` : ''}`;
}
