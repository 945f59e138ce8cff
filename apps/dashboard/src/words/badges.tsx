import type { Host, VulnerablePackage } from '@plimsoll/contract';
import type { Gap } from '@plimsoll/model';
import { actionOf, actionWords, fixWords, gapWords, severityWords, statusWords } from '@plimsoll/words';
import {
  CircleCheck,
  CircleHelp,
  Eye,
  Flame,
  type LucideIcon,
  Minus,
  OctagonAlert,
  RotateCw,
  Signal,
  SignalHigh,
  SignalLow,
  SignalMedium,
  TriangleAlert,
} from 'lucide-react';
import { Badge } from '../design/badge.tsx';

/** Icons that express a severity without colour. */
export const severityIcons: Readonly<Record<VulnerablePackage['severity'], LucideIcon>> = {
  critical: OctagonAlert,
  important: SignalHigh,
  moderate: SignalMedium,
  low: SignalLow,
  unrated: CircleHelp,
  none: Minus,
};

const actionIcons: Readonly<Record<Host['overall_action'], LucideIcon>> = {
  update_urgent: OctagonAlert,
  unblock_urgent: OctagonAlert,
  upgrade_release_urgent: OctagonAlert,
  mitigate_urgent: OctagonAlert,
  reboot_urgent: OctagonAlert,
  update_security: TriangleAlert,
  unblock: TriangleAlert,
  upgrade_release: TriangleAlert,
  reboot: RotateCw,
  subscribe: Signal,
  restart: RotateCw,
  update: Signal,
  unknown: CircleHelp,
  watch: Eye,
  none: CircleCheck,
};

/** A severity by icon, word and colour. */
export function SeverityBadge({ severity }: { readonly severity: VulnerablePackage['severity'] }) {
  const { words, tone, meaning } = severityWords[severity];
  return (
    <Badge tone={tone} icon={severityIcons[severity]} title={meaning}>
      {words}
    </Badge>
  );
}

/** A recommended action. */
export function ActionBadge({ action }: { readonly action: Host['overall_action'] }) {
  const { words, tone, meaning } = actionWords[action];
  return (
    <Badge tone={tone} icon={actionIcons[action]} title={meaning}>
      {words}
    </Badge>
  );
}

interface HostActionBadgeProps {
  readonly host: Pick<Host, 'overall_action'> &
    Partial<Pick<Host, 'approval_status'>> & { readonly gaps: readonly Gap[] };
  /** The reason on this host; default: the meaning of the action. */
  readonly title?: string;
}

/** The action of a host; "nothing to do" is not said of one that waits for approval or is retired. */
export function HostActionBadge({ host, title }: HostActionBadgeProps) {
  const { overall_action: action, approval_status = 'approved' } = host;
  if (action === 'none' && approval_status !== 'approved') return <ApprovalBadge state={approval_status} />;
  const { words, tone, meaning } = actionOf(host);
  return (
    <Badge tone={tone} icon={tone === 'neutral' ? CircleHelp : actionIcons[action]} title={title ?? meaning}>
      {words}
    </Badge>
  );
}

/** That a host waits for approval, or is retired. */
export function ApprovalBadge({ state }: { readonly state: 'pending' | 'retired' }) {
  return state === 'pending' ? (
    <Badge tone="important" title="Waiting for approval: not included in any total.">
      To approve
    </Badge>
  ) : (
    <Badge tone="neutral" title="Retired: in no other list and in no total.">
      Retired
    </Badge>
  );
}

/** The fix state of a finding. */
export function FixBadge({ state }: { readonly state: VulnerablePackage['fix_state'] }) {
  const { words, tone, meaning } = fixWords[state];
  return (
    <Badge tone={tone} title={meaning}>
      {words}
    </Badge>
  );
}

interface StatusBadgeProps {
  readonly status: Host['status'];
  /** On this host, by its own time; default: that of the status. */
  readonly meaning?: string;
}

/** How recent the last report of a host is. */
export function StatusBadge({ status, meaning }: StatusBadgeProps) {
  const { words, tone, meaning: general } = statusWords[status];
  return (
    <Badge tone={tone} title={meaning ?? general}>
      {words}
    </Badge>
  );
}

interface GapBadgeProps {
  readonly gap: Gap;
  readonly title?: string;
  /** For narrow columns: the class of the words beside the icon. */
  readonly wordsClass?: string | undefined;
}

/** A gap: something about a host that is not known. `title`: the reason on this host. */
export function GapBadge({ gap, title, wordsClass }: GapBadgeProps) {
  const { words, tone, meaning } = gapWords[gap];
  return (
    <Badge tone={tone} icon={CircleHelp} title={title ?? meaning}>
      <span className={wordsClass}>{words}</span>
    </Badge>
  );
}

/** Marks a known exploited vulnerability. */
export function ExploitedBadge() {
  return (
    <Badge tone="critical" icon={Flame} title="Listed by CISA as exploited in the wild.">
      Exploited
    </Badge>
  );
}
