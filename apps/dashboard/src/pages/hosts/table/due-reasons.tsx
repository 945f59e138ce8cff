import type { Host } from '@plimsoll/contract';
import { dueWords, rebootReason } from '@plimsoll/words';
import { Link } from '@tanstack/react-router';
import { type Column, column } from '../../../design/table/table-columns.ts';
import { printable } from '../../../design/text/printable.ts';
import { Time } from '../../../design/time/time.tsx';
import styles from '../hosts.module.css';

/** Longest text of a reason; a report can bring more. */
const shownCharacters = 200;
/** Most services that a row names. */
const shownServices = 20;
const width = 'clamp(7rem, 26vw, 26rem)';

/** Why a host needs a reboot. */
export const rebootColumn: Column<Host> = column('reboot', 'Why reboot', {
  cell: (host) => <DueReasons host={host} wordsOf={rebootWords} />,
  width,
});

/** Since when a host runs: no reboot since then has started what is installed. */
export const bootedColumn: Column<Host> = column('booted_at', 'Running since', {
  cell: ({ booted_at }) =>
    booted_at == null ? <span className={styles['muted']}>Not known</span> : <Time at={booted_at} />,
  width: '8.5rem',
  from: 'widest',
});

/** Why it is not known whether a host needs a reboot. */
export const rebootUnknownColumn: Column<Host> = column('reboot_unknown', 'Reason', {
  cell: (host) => <DueReasons host={host} wordsOf={rebootUnknownWords} />,
  width,
});

/** The services of a host that need a restart. */
export const restartColumn: Column<Host> = column('restart', 'Services to restart', {
  cell: (host) => <DueReasons host={host} wordsOf={restartWords} />,
  width,
});

interface DueReasonsProps {
  readonly host: Host;
  readonly wordsOf: (host: Host) => string;
}

/** The list has reasons only if it is of hosts that need a reboot or a restart. */
function DueReasons({ host, wordsOf }: DueReasonsProps) {
  const words = wordsOf(host);
  return (
    <Link
      to="/hosts/$id"
      params={{ id: host.id }}
      search={{ tab: 'kernel' }}
      className={styles['why'] ?? ''}
      title={words}
    >
      {words}
    </Link>
  );
}

function rebootWords({ reboot_reasons = [], reboot_state }: Host): string {
  // Uploads can change the state while the list is read.
  if (reboot_reasons.length === 0) return `Reboot: ${dueWords[reboot_state].words}`;
  return reboot_reasons
    .map(({ code, detail }) =>
      detail === '' ? rebootReason(code) : `${rebootReason(code)}: ${printable(detail, shownCharacters)}`,
    )
    .join('. ');
}

function rebootUnknownWords({ reboot_unknown, reboot_state }: Host): string {
  return reboot_unknown ?? `Reboot: ${dueWords[reboot_state].words}`;
}

function restartWords({ services_to_restart = [], restart_state }: Host): string {
  const names = [...new Set(services_to_restart.map(({ name }) => name))];
  if (names.length === 0)
    return restart_state === 'needed' ? 'Some; names not known' : `Restart: ${dueWords[restart_state].words}`;
  const left = names.length - shownServices;
  const shown = names.slice(0, shownServices).map((name) => printable(name, 60));
  return `${shown.join(', ')}${left > 0 ? ` and ${left} more` : ''}`;
}
