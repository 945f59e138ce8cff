import type { FleetSummary } from '@plimsoll/contract';
import { Link } from '@tanstack/react-router';
import { useId, useState } from 'react';
import { Button } from '../../design/button.tsx';
import { Notice } from '../../design/notice.tsx';
import { amountInWords, groupedNumber } from '../../design/number-words.ts';
import { ForeignText } from '../../design/text/foreign-text.tsx';
import { dueDependsOnIt, exploitedDataIsOld } from '../../words/exploitation-words.ts';
import { lowerBound } from '../../words/fleet-knowledge.ts';
import type { HostsSearch } from '../hosts/hosts-search.ts';
import styles from './fleet.module.css';
import { HostCount } from './host-count.tsx';

/** Tags shown at first. */
const shownTags = 8;

/** Hosts with findings past their due dates, also by tag; nothing if there are none. */
export function OverdueNotice({ fleet }: { readonly fleet: FleetSummary }) {
  const { overdue } = fleet;
  const { exploitation_unknown: isDueUnknown } = overdue;
  if (overdue.hosts === 0)
    return isDueUnknown ? (
      <Notice tone="important">
        No finding is known to be past its due date, but some may be. {exploitedDataIsOld} {dueDependsOnIt}
      </Notice>
    ) : null;
  const bound = lowerBound(fleet) || (isDueUnknown ? 'At least ' : '');
  const list = { overdue: 'true', sort: '-overdue_count' };
  return (
    <Notice tone="important">
      <p>
        {bound}
        <HostCount count={overdue.hosts} list={list}>
          {overdue.hosts === 1 ? 'host has' : 'hosts have'} findings past their due date
        </HostCount>{' '}
        (<OverdueFindings findings={overdue.findings} />
        ).{isDueUnknown && ` ${exploitedDataIsOld} ${dueDependsOnIt}`}
      </p>
      <OverdueByTag overdue={overdue} list={list} isLowerBound={bound !== ''} />
    </Notice>
  );
}

type Overdue = FleetSummary['overdue'];

interface OverdueByTagProps {
  readonly overdue: Overdue;
  /** Of all overdue hosts. */
  readonly list: HostsSearch;
  readonly isLowerBound: boolean;
}

/** The tags of overdue hosts, most findings first: some, and all of them after a press. */
function OverdueByTag({ overdue, list, isLowerBound }: OverdueByTagProps) {
  const { by_tag: tags, tags: total } = overdue;
  const [isWhole, setIsWhole] = useState(false);
  const id = useId();
  if (tags.length === 0) return null;
  const shown = isWhole ? tags : tags.slice(0, shownTags);
  return (
    <>
      {isLowerBound && <p className={styles['meaning']}>By tag, at least:</p>}
      <ul id={id} className={styles['lines']} aria-label="Overdue by tag">
        {shown.map(({ tag, hosts, findings }) => (
          <li key={tag}>
            <HostCount count={hosts} list={{ ...list, tag }}>
              {hosts === 1 ? 'host' : 'hosts'} tagged <ForeignText text={tag} oneLine />
            </HostCount>{' '}
            (<OverdueFindings findings={findings} tag={tag} />)
          </li>
        ))}
      </ul>
      {total > shownTags && (
        <p className={styles['meaning']}>
          {shown.length < total
            ? `${groupedNumber(shown.length)} of ${groupedNumber(total)} tags, those with the most overdue findings first.`
            : `All ${groupedNumber(total)} tags.`}{' '}
          <Button
            look="quiet"
            aria-expanded={isWhole}
            aria-controls={id}
            onPress={() => setIsWhole(!isWhole)}
          >
            {isWhole ? `Show ${shownTags} tags` : `Show ${all(tags.length, total)} tags`}
          </Button>
        </p>
      )}
    </>
  );
}

function all(listed: number, total: number): string {
  return listed < total ? `the first ${groupedNumber(listed)}` : `all ${groupedNumber(total)}`;
}

/** A number of overdue findings, linked to them, by host. */
function OverdueFindings({ findings, tag }: { readonly findings: number; readonly tag?: string }) {
  const search = { group_by: 'host', overdue: 'true', ...(tag !== undefined && { tag }) };
  return (
    <Link to="/findings" search={search}>
      {amountInWords(findings, 'finding', 'findings')}
    </Link>
  );
}
