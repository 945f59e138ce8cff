import type { Host } from '@plimsoll/contract';
import { dateInWords, exactTime } from '../design/time/moment-words.ts';
import { gapOrder } from './gap-words.ts';
import {
  areFindingsKnown,
  areUpdatesKnown,
  blindingGaps,
  fixableFindings,
  type Known,
  reasonsInWords,
  releaseInWords,
  reportedAt,
  updateGaps,
} from './knowledge.ts';

/** What of a host the reason for its action names. */
export type Reasoned = Known &
  Pick<
    Host,
    | 'overall_action'
    | 'critical_count'
    | 'important_count'
    | 'moderate_count'
    | 'low_count'
    | 'unrated_count'
    | 'unfixed_count'
    | 'known_exploited_count'
    | 'available_updates'
    | 'needs_restart'
    | 'repositories_state'
  >;

const grouped = new Intl.NumberFormat('en');

/** Why a host has the action that it has, in one or two sentences with their facts. `now`: milliseconds. */
export function actionReason(host: Reasoned, now: number): string {
  switch (host.overall_action) {
    case 'update_urgent':
      return `${urgentIn(host)}. ${canInstall(host) ? 'At least one of them has a fix that can be installed' : 'At least one of them has a published fix'}.`;
    case 'unblock_urgent':
      return `${urgentIn(host)}. A fix is published, but it is held on the host or missing from its repositories.`;
    case 'upgrade_release_urgent':
      return `${urgentIn(host)}. ${releaseInWords(host)} is out of standard support.`;
    case 'reboot_urgent':
      return `${urgentIn(host)}. The fixed kernel is installed, but an older one is running.`;
    case 'mitigate_urgent':
      return `${urgentIn(host)}. At least one of them has no fix for this host.`;
    case 'update_security':
      return `${findingsIn(host)}. ${securityUpdateIn(host)}.`;
    case 'unblock':
      return host.repositories_state === 'outdated'
        ? `${findingsIn(host)}. A repository of the host is outdated, so updates may not reach it.`
        : `${findingsIn(host)}. A fix is published, but it is held on the host or missing from its repositories.`;
    case 'upgrade_release':
      return `${releaseInWords(host)} is out of standard support. Known so far: ${findingsIn(host)}.`;
    case 'reboot':
      return `A reboot is needed.${moreMayBe(host, now)}`;
    case 'subscribe':
      return `${findingsIn(host)}. A fix requires a subscription that the host does not have.${moreMayBe(host, now)}`;
    case 'restart':
      return `${amount(host.needs_restart, 'service runs', 'services run')} outdated code.${moreMayBe(host, now)}`;
    case 'update':
      return updatesReason(host, now);
    case 'unknown':
      return `Cannot be assessed: ${reasonsInWords(host, assessedBy, now)}. Known so far: ${findingsIn(host)}.`;
    case 'watch':
      return `${findingsIn(host)}. None of them can be fixed on this host now.`;
    case 'none':
      return `No open findings or updates as of ${exactTime(new Date(reportedAt(host)))}${advisoriesOf(host)}.${notKnown(host, now)}`;
    default:
      return host.overall_action satisfies never;
  }
}

/** Which ground a security update rests on: a finding's fix, or the package manager's mark alone. */
function securityUpdateIn(host: Reasoned): string {
  if (fixableFindings(host) === 0)
    return 'The package manager marks at least one update as a security update';
  return canInstall(host)
    ? 'At least one security fix can be installed'
    : 'At least one of them has a published fix';
}

/** Whether the offers of the repositories are known: else a fix is known to be published alone. */
function canInstall({ gaps }: Reasoned): boolean {
  return !gaps.includes('package_lists_unknown');
}

/** The gaps that turn "nothing to do" into "not known". */
const assessedBy = gapOrder.filter((gap) => blindingGaps.includes(gap) || updateGaps.includes(gap));

/** Why something more urgent may be due than an action that is less urgent than a security update; '' if it is known. */
function moreMayBe(host: Reasoned, now: number): string {
  const reasons = reasonsInWords(host, assessedBy, now);
  return reasons === '' ? '' : ` Something more urgent may be due: ${reasons}.`;
}

/** What updates may be, which is known only where advisories and package lists are. */
function updatesReason(host: Reasoned, now: number): string {
  const updates = `${amount(host.available_updates, 'update', 'updates')} available`;
  if (areFindingsKnown(host) && areUpdatesKnown(host))
    return `${updates}. None of them is a security update.`;
  return `${updates}. They may include security fixes: ${reasonsInWords(host, assessedBy, now)}.`;
}

function urgentIn({ critical_count, known_exploited_count }: Reasoned): string {
  const parts = [
    ...(critical_count === 0 ? [] : [`${grouped.format(critical_count)} critical`]),
    ...(known_exploited_count === 0 ? [] : [`${grouped.format(known_exploited_count)} known exploited`]),
  ];
  const words = parts.length === 0 ? 'Urgent' : parts.join(' and ');
  return `${words} ${critical_count + known_exploited_count === 1 ? 'finding' : 'findings'}`;
}

/** The number of findings, those without a fix apart: `12 findings, 3 of them without a fix`. */
export function findingsIn(host: Omit<Reasoned, 'overall_action'>): string {
  const { critical_count, important_count, moderate_count, low_count, unrated_count, unfixed_count } = host;
  const all = critical_count + important_count + moderate_count + low_count + unrated_count + unfixed_count;
  const words = amount(all, 'finding', 'findings');
  if (unfixed_count === 0) return words;
  return `${words}, ${unfixed_count === all ? 'without a fix' : `${grouped.format(unfixed_count)} of them without a fix`}`;
}

function advisoriesOf({ feed_updated_at }: Reasoned): string {
  return feed_updated_at === null ? '' : `, advisories of ${dateInWords(new Date(feed_updated_at))}`;
}

/** What is not known although there is nothing to do; '' if everything is. */
function notKnown(host: Reasoned, now: number): string {
  return host.gaps.length === 0 ? '' : ` Not known: ${reasonsInWords(host, gapOrder, now)}.`;
}

function amount(count: number, one: string, many: string): string {
  return `${grouped.format(count)} ${count === 1 ? one : many}`;
}
