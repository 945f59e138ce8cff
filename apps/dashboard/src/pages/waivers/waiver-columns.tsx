import type { Waiver } from '@plimsoll/contract';
import { waiverEndWords, waiverKindWords } from '@plimsoll/words';
import { Link } from '@tanstack/react-router';
import { Badge } from '../../design/badge.tsx';
import { amountInWords, hostsInWords } from '../../design/number-words.ts';
import { type Column, column } from '../../design/table/table-columns.ts';
import { ForeignText } from '../../design/text/foreign-text.tsx';
import { Time } from '../../design/time/time.tsx';
import { coveredInWords, placeInWords } from '../../words/waiver-words.ts';
import { EndWaiver } from './end-waiver.tsx';
import { rowsOfWaiver } from './rows-of-waiver.ts';
import styles from './waivers.module.css';
import { useWaiversSearch } from './waivers-search.ts';

const soonMs = 7 * 24 * 3600 * 1000;

/** Columns of the list of waivers. */
export const waiverColumns: readonly Column<Waiver>[] = [
  column('covers', 'Covers', { width: '16rem', cell: (waiver) => <Covers waiver={waiver} /> }),
  column('kind', 'Kind', { width: '9rem', cell: ({ kind }) => waiverKindWords[kind].words }),
  column('reason', 'Reason', {
    from: 'medium',
    cell: ({ reason }) => (
      <span className={styles['reason']}>
        <ForeignText text={reason} />
      </span>
    ),
  }),
  column('by', 'By', {
    width: '12rem',
    from: 'medium',
    cell: ({ created_by, created_at }) => (
      <span className={styles['tight']}>
        <ForeignText text={created_by} oneLine />
        <span className={styles['muted']}>
          <Time at={created_at} />
        </span>
      </span>
    ),
  }),
  column('until', 'Until', { width: '9rem', cell: (waiver) => <Until waiver={waiver} /> }),
  column('matched', 'Concerns', {
    width: '9rem',
    from: 'medium',
    cell: (waiver) => <Matched waiver={waiver} />,
  }),
  column('actions', 'Actions', {
    hideHeader: true,
    align: 'end',
    width: '6rem',
    cell: (waiver) => <EndWaiver waiver={waiver} />,
  }),
];

function Covers({ waiver }: { readonly waiver: Waiver }) {
  const [search] = useWaiversSearch();
  return (
    <span className={styles['tight']}>
      <Link
        to="/waivers"
        search={{ ...search, id: waiver.id }}
        resetScroll={false}
        className={styles['covers'] ?? ''}
      >
        {coveredInWords(waiver)}
      </Link>
      <span className={styles['muted']}>on {placeInWords(waiver)}</span>
    </span>
  );
}

function Until({ waiver: { ended_at, end_cause, expires_at } }: { readonly waiver: Waiver }) {
  if (ended_at !== null)
    return (
      <span className={styles['tight']}>
        <span>{end_cause === null ? 'ended' : waiverEndWords[end_cause]}</span>
        <Time at={ended_at} />
      </span>
    );
  const isSoon = Date.parse(expires_at) - Date.now() <= soonMs;
  return isSoon ? (
    <Badge tone="important" title="Ends within 7 days">
      <Time at={expires_at} />
    </Badge>
  ) : (
    <Time at={expires_at} />
  );
}

/** What a waiver covers something of now. */
export function Matched({ waiver }: { readonly waiver: Waiver }) {
  const { ended_at, matched_findings, matched_hosts } = waiver;
  if (ended_at !== null) return '–';
  if (matched_findings === 0) return 'nothing now';
  const findings = amountInWords(matched_findings, 'finding', 'findings');
  const rows = rowsOfWaiver(waiver);
  return (
    <span className={styles['tight']}>
      {rows === null ? (
        // No filter has these findings. The waiver in full has a link for each of its names.
        <Link to="/waivers" search={(search) => ({ ...search, id: waiver.id })} resetScroll={false}>
          {findings}
        </Link>
      ) : (
        <Link to="/findings" search={rows}>
          {findings}
        </Link>
      )}
      <span className={styles['muted']}>on {hostsInWords(matched_hosts)}</span>
    </span>
  );
}
