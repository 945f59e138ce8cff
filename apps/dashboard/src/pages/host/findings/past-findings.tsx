import { SearchX } from 'lucide-react';
import { Notice } from '../../../design/notice.tsx';
import { Empty } from '../../../design/states.tsx';
import { ExactTime } from '../../../design/time/time.tsx';
import { noneThenInWords } from '../../../words/no-finding-words.ts';
import { pastGapsInWords } from '../../../words/past-words.ts';
import { HostLink } from '../host-link.tsx';
import { useHostSearch } from '../host-search.ts';

interface PastNoticeProps {
  readonly at: string;
  /** Whether today's advisories were used instead of those that were known then. */
  readonly isKnownNow: boolean;
  /** Headers of the response; undefined while it is read. */
  readonly headers: Readonly<Record<string, string>> | undefined;
}

/** Says which time a list of findings shows, by whose knowledge, and how exactly that time is known. */
export function PastNotice({ at, isKnownNow, headers }: PastNoticeProps) {
  const isTime = !Number.isNaN(Date.parse(at));
  const when = isTime ? <ExactTime at={at} /> : 'that time';
  const resolution = headers?.['plimsoll-resolution'];
  const gaps = pastGapsInWords(headers?.['plimsoll-gaps']);
  return (
    <Notice tone={gaps === '' ? 'neutral' : 'important'}>
      <p>
        Packages installed at {when}, checked against{' '}
        {isKnownNow
          ? 'the advisories of today'
          : 'what was known at that time; exploited are the CVEs that were known to be'}
        .{' '}
        <HostLink search={{ tab: 'vulnerable', fix: 'all', at, ...(isKnownNow ? {} : { known: 'now' }) }}>
          {isKnownNow ? 'By what was known then' : 'By what is known today'}
        </HostLink>{' '}
        · <HostLink search={{ tab: 'vulnerable' }}>Show current findings</HostLink>
      </p>
      {(resolution === 'day' || resolution === 'month') && (
        <p>
          Only one report of that {resolution} is kept. Packages, kernel and release are exactly those of{' '}
          {when}; packages that are held back, and restarts and reboots that were due, are those of the kept
          report.
        </p>
      )}
      {gaps !== '' && <p>There may be more findings than listed. Gaps at that time: {gaps}.</p>}
    </Notice>
  );
}

/** An empty list of a past time. */
export function NothingListedThen() {
  const [{ severity, fix, exploited, overdue, waived, negligible }] = useHostSearch();
  return (
    <Empty title={noneThenInWords({ severity, fix, exploited, overdue, waived, negligible })} icon={SearchX}>
      {overdue !== undefined && 'Findings of a past time have no due dates here. '}
      What was not known at that time is said above.
    </Empty>
  );
}
