import type { Host } from '@plimsoll/contract';
import { severityWords } from '@plimsoll/words';
import { Link } from '@tanstack/react-router';
import { Flame } from 'lucide-react';
import type { ReactNode } from 'react';
import { Badge } from '../../../design/badge.tsx';
import { Unseen } from '../../../design/states.tsx';
import { GapBadge, severityIcons } from '../../../words/badges.tsx';
import {
  blindingGaps,
  gapsAmong,
  reasonsInWords,
  sentence,
  unfixedOnlyInWords,
} from '../../../words/knowledge.ts';
import { noneFoundInWords } from '../../../words/no-finding-words.ts';
import styles from '../hosts.module.css';

/** Largest number of badges in a row. */
const shownFindings = 2;

/**
 * The worst findings of a host, exploited ones first, each number with a link to its list; then the most important
 * reason why there may be more. A zero that is not known to be zero is `?`.
 */
export function HostFindings({ host }: { readonly host: Host }) {
  const [gap] = gapsAmong(host, blindingGaps);
  const severities = (['critical', 'important', 'moderate', 'low', 'unrated'] as const)
    .map((severity) => ({ severity, count: host[`${severity}_count`] }))
    .filter(({ count }) => count > 0)
    .slice(0, host.known_exploited_count > 0 || gap !== undefined ? shownFindings - 1 : shownFindings);
  if (host.status === 'new') return <GapBadge gap="no_report" />;
  if (severities.length === 0 && host.known_exploited_count === 0) return <NoneListed host={host} />;
  const reasons = sentence(reasonsInWords(host, blindingGaps, Date.now()));
  return (
    <span className={styles['findings']}>
      {host.known_exploited_count > 0 && (
        <Finding id={host.id} search={{ tab: 'vulnerable', fix: 'all', exploited: 'true' }}>
          <Badge tone="critical" icon={Flame} title={`${host.known_exploited_count} known to be exploited`}>
            {host.known_exploited_count} <Unseen>known to be exploited</Unseen>
          </Badge>
        </Finding>
      )}
      {severities.map(({ severity, count }) => (
        <Finding key={severity} id={host.id} search={{ tab: 'vulnerable', severity }}>
          <Badge
            tone={severityWords[severity].tone}
            icon={severityIcons[severity]}
            title={`${count} ${severityWords[severity].words.toLowerCase()}`}
          >
            {count} <span className={styles['severity']}>{severityWords[severity].words}</span>
          </Badge>
        </Finding>
      ))}
      <Unfixed host={host} />
      {gap !== undefined && (
        <GapBadge gap={gap} title={`There may be more. ${reasons}`} wordsClass={styles['gapWords']} />
      )}
    </span>
  );
}

/** Text for zero findings with a fix: whether that is known, and what else is known. */
function NoneListed({ host }: { readonly host: Host }) {
  const [gap] = gapsAmong(host, blindingGaps);
  return (
    <span className={styles['findings']}>
      {gap !== undefined && (
        <>
          <strong aria-hidden className={styles['mark']}>
            ?
          </strong>
          <Unseen>Not known.</Unseen>
          <GapBadge
            gap={gap}
            title={sentence(reasonsInWords(host, blindingGaps, Date.now()))}
            wordsClass={styles['gapWords']}
          />
        </>
      )}
      {gap === undefined && host.unfixed_count === 0 && (
        <span className={styles['muted']}>{noneFoundInWords(host)}</span>
      )}
      <Unfixed host={host} />
    </span>
  );
}

/** Number of findings without a fix, if no finding has a fix. */
function Unfixed({ host }: { readonly host: Host }) {
  const words = unfixedOnlyInWords(host);
  if (words === '') return null;
  return (
    <Finding id={host.id} search={{ tab: 'vulnerable', fix: 'unfixed' }}>
      <Badge tone="neutral">{words}</Badge>
    </Finding>
  );
}

interface FindingProps {
  readonly id: string;
  readonly search: Readonly<Record<string, string>>;
  readonly children: ReactNode;
}

function Finding({ id, search, children }: FindingProps) {
  return (
    <Link to="/hosts/$id" params={{ id }} search={search} className={styles['finding'] ?? ''}>
      {children}
    </Link>
  );
}
