import type { FleetSummary } from '@plimsoll/contract';
import { CircleHelp, SearchX, ShieldCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { useApi } from '../../api/queries.ts';
import { LinkButton } from '../../design/button.tsx';
import { hostsInWords } from '../../design/number-words.ts';
import { Empty } from '../../design/states.tsx';
import { blindingGaps } from '../../words/knowledge.ts';
import { negligibleHostsInWords, negligibleLeftOut } from '../../words/no-finding-words.ts';
import { checkedInWords, isAllChecked } from './checked-words.ts';
import { unjudged } from './unjudged-hosts.tsx';

interface NoneAffectingProps {
  /** Title while every approved host was checked. */
  readonly title: string;
  /** Title while not all is known. */
  readonly unsureTitle: string;
  /** Whether the list has filters; then an empty list does not mean that nothing is affected. */
  readonly isFiltered: boolean;
  readonly action: ReactNode;
}

/** Text for a list in which no advisory affects a host; says what is not known. */
export function NoneAffecting({ title, unsureTitle, isFiltered, action }: NoneAffectingProps) {
  const { data: fleet } = useApi('/fleet/summary');
  const isKnown = fleet !== undefined && unknownHosts(fleet) === 0 && fleet.hosts > 0;
  return (
    <Empty
      title={isKnown ? title : unsureTitle}
      icon={isFiltered ? SearchX : isKnown ? ShieldCheck : CircleHelp}
      action={action}
    >
      {fleet !== undefined && knowledgeOf(fleet)}
    </Empty>
  );
}

interface NoneAffectedProps {
  /** Number of hosts that may be affected and cannot be checked. */
  readonly unknown: number;
  /** Whether a vendor rates it negligible for some package: hosts that it affects so are not counted. */
  readonly isNegligible: boolean;
  /** Number of its CVEs. */
  readonly cves: number;
}

/** Text for an advisory without findings on approved hosts; says what is not known. */
export function NoneAffected({ unknown, isNegligible, cves }: NoneAffectedProps) {
  const { data: fleet } = useApi('/fleet/summary');
  const isKnown = unknown === 0 && !isNegligible && fleet !== undefined && isAllChecked(fleet);
  return (
    <Empty
      title={`No host is known to be affected${isNegligible ? negligibleLeftOut : ''}`}
      icon={isKnown ? ShieldCheck : CircleHelp}
      action={
        unknown > 0 && (
          <LinkButton to="." search={{ fix_state: unjudged }} replace resetScroll={false}>
            Show hosts that cannot be checked
          </LinkButton>
        )
      }
    >
      {isNegligible && `${negligibleHostsInWords(cves)} `}
      {fleet !== undefined && checkedInWords(fleet, unknown)}
    </Empty>
  );
}

/** Lower bound of the number of hosts with unknown findings: a host can have several gaps. */
function unknownHosts({ by_gap }: FleetSummary): number {
  return Math.max(...blindingGaps.map((gap) => by_gap[gap]));
}

function knowledgeOf(fleet: FleetSummary): string {
  if (fleet.hosts === 0) return 'No host is approved.';
  const { findings_unknown_hosts: unknown } = fleet;
  if (unknown === 0) return 'Every approved host was checked with current advisories.';
  return `${hostsInWords(unknown)} cannot be checked, or not completely.`;
}
