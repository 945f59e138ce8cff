import type { TimeToPatchAnswer } from '@plimsoll/contract';
import { severityOrder } from '@plimsoll/words';
import { Link, useSearch } from '@tanstack/react-router';
import { Printer } from 'lucide-react';
import { useState } from 'react';
import { useApi } from '../../api/queries.ts';
import { Button } from '../../design/button.tsx';
import { Notice } from '../../design/notice.tsx';
import { amountInWords, hostsInWords } from '../../design/number-words.ts';
import { Page, Panel } from '../../design/page/page.tsx';
import { Empty, Loaded } from '../../design/states.tsx';
import { printable } from '../../design/text/printable.ts';
import { dateInWords } from '../../design/time/moment-words.ts';
import { MakeEvidence } from '../evidence/make-evidence.tsx';
import { aboutInWords } from './about-words.ts';
import { BurnDown } from './burn-down.tsx';
import { OtherEnds } from './other-ends.tsx';
import { PatchFilters } from './patch-filters.tsx';
import { periodIn } from './period.ts';
import { ShareTable } from './share-table.tsx';
import { SharesByTag } from './shares-by-tag.tsx';
import { Stages } from './stages.tsx';
import styles from './time-to-patch.module.css';

/** How long findings stayed open in a period, by severity, and where the time went. */
export function TimeToPatchPage() {
  const search = useSearch({ from: '/signed-in/time-to-patch' });
  // The answer is about one moment, until the page is opened again or the period changes.
  const [now] = useState(() => new Date());
  const period = periodIn(search, now);
  const severity = severityOrder.find((known) => known === search.severity && known !== 'none');
  const tags = tagsIn(search.tag);
  const query = useApi('/fleet/time-to-patch', {
    query: {
      from: period.from,
      ...(period.to !== null && { to: period.to }),
      ...(severity !== undefined && severity !== 'none' && { severity }),
      ...(tags.length > 0 && { tag: [...tags] }),
    },
  });
  return (
    <Page
      title="Time to patch"
      actions={
        <>
          {tags.map((tag) => (
            <MakeEvidence
              key={tag}
              subject={{ tag }}
              period={period}
              words={`hosts with the tag ${tag}`}
              {...(tags.length > 1 && { label: `Evidence pack of ${printable(tag, 40)}` })}
            />
          ))}
          <Button onPress={() => window.print()}>
            <Printer aria-hidden /> Print
          </Button>
        </>
      }
      lead="How long findings stayed open on approved hosts: closed by another version, a removed package or another kernel."
    >
      <PatchFilters now={now} period={period} severity={severity} tags={tags} />
      <Loaded query={query} what="Computing the times">
        {(times) => (
          <>
            <Limits times={times} tags={tags} severity={severity === 'none' ? undefined : severity} />
            {times.hosts === 0 ? (
              <Empty title="No approved host with this choice existed in the period" />
            ) : (
              <>
                <ShareTable times={times} />
                {tags.length > 1 && <SharesByTag period={period} severity={severity} tags={tags} />}
                <Stages times={times} />
                <BurnDown times={times} />
                <OtherEnds times={times} />
              </>
            )}
          </>
        )}
      </Loaded>
    </Page>
  );
}

/** The tags of an address, separated by commas. */
function tagsIn(text: string | undefined): readonly string[] {
  return [...new Set((text ?? '').split(',').map((tag) => tag.trim()))]
    .filter((tag) => tag !== '')
    .slice(0, 10);
}

function silentInWords(findings: number): string {
  if (findings === 0) return ': what is open on them is not known.';
  const words = amountInWords(findings, 'finding of before counts', 'findings of before count');
  return `. Their ${words} apart, neither closed nor open.`;
}

interface UnknownHostsProps {
  readonly count: number;
  readonly tags: readonly string[];
}

/** The number of hosts, linked to their list; that of hosts with one of several tags has no list. */
function UnknownHosts({ count, tags }: UnknownHostsProps) {
  const [tag, ...others] = tags;
  if (others.length > 0) return <>{hostsInWords(count)}</>;
  const search = { approval_status: 'approved', findings_known: 'false', ...(tag !== undefined && { tag }) };
  return (
    <Link to="/hosts" search={search}>
      {hostsInWords(count)}
    </Link>
  );
}

interface LimitsProps {
  readonly times: TimeToPatchAnswer;
  readonly tags: readonly string[];
  readonly severity: Exclude<(typeof severityOrder)[number], 'none'> | undefined;
}

/** What the numbers do not contain. */
function Limits({ times, tags, severity }: LimitsProps) {
  const { from, to, history_from, hosts, silent_hosts, uncounted_hosts, findings_unknown_hosts, all } = times;
  const isPartlyKnown = history_from === null || history_from > from;
  return (
    <Panel title="What this is about">
      <div className={styles['stack']}>
        <p>{aboutInWords({ from, to, hosts, tags, severity })}</p>
        {tags.length === 0 && hosts > 0 && (
          <p className={styles['forScreens']}>
            For an auditor: choose a tag, and this page has a signed evidence pack of its hosts.
          </p>
        )}
        {isPartlyKnown && hosts > 0 && (
          <Notice tone="important">
            {history_from === null
              ? 'Nothing is known of the period: none of these hosts has reported, or no feed has advisories for them.'
              : `Findings of these hosts are known since ${dateInWords(new Date(history_from), 'UTC')}, from the first report and the first advisories for them: the period is ${history_from < to ? 'known only in part' : 'not known'}.`}
          </Notice>
        )}
        {silent_hosts > 0 && (
          <Notice tone="important">
            {hostsInWords(silent_hosts)} sent no report in the period{silentInWords(all.open_on_silent_hosts)}
          </Notice>
        )}
        {findings_unknown_hosts > 0 && (
          <Notice tone="important">
            <p>
              Of the approved hosts of today, also later ones, the findings of{' '}
              <UnknownHosts count={findings_unknown_hosts} tags={tags} /> are not all known. Few findings
              there do not mean that they were patched.
            </p>
          </Notice>
        )}
        {uncounted_hosts > 0 && (
          <Notice tone="neutral">
            {hostsInWords(uncounted_hosts)} changed and {uncounted_hosts === 1 ? 'is' : 'are'} being counted.
            Until then the numbers are those of before.
          </Notice>
        )}
      </div>
    </Panel>
  );
}
