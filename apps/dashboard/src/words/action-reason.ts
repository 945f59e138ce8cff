import type { Host } from '@plimsoll/contract';
import { gapOrder } from '@plimsoll/words';
import { amountInWords, groupedNumber } from '../design/number-words.ts';
import { dateInWords, exactTime } from '../design/time/moment-words.ts';
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

/** The fields of a host that the reason for its action uses. */
export type ActionFacts = Known &
  Pick<
    Host,
    | 'overall_action'
    | 'critical_count'
    | 'important_count'
    | 'moderate_count'
    | 'low_count'
    | 'unrated_count'
    | 'unfixed_count'
    | 'waived_count'
    | 'known_exploited_count'
    | 'available_updates'
    | 'broken_count'
    | 'needs_restart'
    | 'repositories_state'
  >;

/** Why a host has its action, in one or two sentences with the facts. `now`: milliseconds. */
export function actionReason(host: ActionFacts, now: number): string {
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
      return `${knownFindingsIn(host)}. ${securityUpdateIn(host)}.`;
    case 'unblock':
      if (host.gaps.includes('repository_failing'))
        return `${knownFindingsIn(host)}. A repository of the host fails, so updates may not reach it: ${host.repository_error}.`;
      return host.repositories_state === 'outdated'
        ? `${knownFindingsIn(host)}. A repository of the host is outdated, so updates may not reach it.`
        : `${knownFindingsIn(host)}. A fix is published, but it is held on the host or missing from its repositories.`;
    case 'upgrade_release':
      return `${releaseInWords(host)} is out of standard support. Known so far: ${findingsIn(host)}.`;
    case 'reboot':
      return `A reboot is needed.${moreUrgentMayBe(host, now)}`;
    case 'subscribe':
      return `${knownFindingsIn(host)}. A fix requires a subscription that the host does not have.${moreUrgentMayBe(host, now)}`;
    case 'restart':
      return `${outdatedServicesIn(host)} outdated code.${moreUrgentMayBe(host, now)}`;
    case 'update':
      return updatesReason(host, now);
    case 'unknown':
      return `Cannot be assessed: ${reasonsInWords(host, assessmentGaps, now)}. Known so far: ${findingsIn(host)}.`;
    case 'watch':
      return `${knownFindingsIn(host)}. None of them can be fixed on this host now.`;
    case 'none':
      return `No open findings or updates${host.waived_count > 0 ? ', waived ones left out,' : ''} as of ${exactTime(new Date(reportedAt(host)))}${advisoriesOf(host)}.${notKnown(host, now)}`;
    default:
      return host.overall_action satisfies never;
  }
}

/** The reason for a security update: a finding with a fix, or only the package manager's mark. */
function securityUpdateIn(host: ActionFacts): string {
  if (fixableFindings(host) === 0)
    return 'The package manager marks at least one update as a security update';
  if (host.broken_count > 0) return 'A fix can be installed, or its installation did not end';
  return canInstall(host)
    ? 'At least one security fix can be installed'
    : 'At least one of them has a published fix';
}

/** The services that run outdated code. A host can report that some do without naming them. */
function outdatedServicesIn({ needs_restart }: ActionFacts): string {
  return needs_restart === 0
    ? 'At least one service runs'
    : amountInWords(needs_restart, 'service runs', 'services run');
}

/** Whether the repositories' offers are known; otherwise only the publication of a fix is known. */
function canInstall({ gaps }: ActionFacts): boolean {
  return !gaps.includes('package_lists_unknown');
}

/** Gaps that turn "nothing to do" into "not known". */
const assessmentGaps = gapOrder.filter((gap) => blindingGaps.includes(gap) || updateGaps.includes(gap));

/** Why a more urgent action may be due; '' if everything that matters is known. */
function moreUrgentMayBe(host: ActionFacts, now: number): string {
  const reasons = reasonsInWords(host, assessmentGaps, now);
  return reasons === '' ? '' : ` Something more urgent may be due: ${reasons}.`;
}

/** What the updates may contain. It is known only if advisories and package lists are known. */
function updatesReason(host: ActionFacts, now: number): string {
  if (host.broken_count > 0)
    return `The installation of ${amountInWords(host.broken_count, 'package', 'packages')} did not end.${moreUrgentMayBe(host, now)}`;
  const updates = `${amountInWords(host.available_updates, 'update', 'updates')} available`;
  if (areFindingsKnown(host) && areUpdatesKnown(host))
    return `${updates}. None of them is a security update.`;
  return `${updates}. They may include security fixes: ${reasonsInWords(host, assessmentGaps, now)}.`;
}

function urgentIn({ critical_count, known_exploited_count }: ActionFacts): string {
  const parts = [
    ...(critical_count === 0 ? [] : [`${groupedNumber(critical_count)} critical`]),
    ...(known_exploited_count === 0 ? [] : [`${groupedNumber(known_exploited_count)} known exploited`]),
  ];
  const words = parts.length === 0 ? 'Urgent' : parts.join(' and ');
  return `${words} ${critical_count + known_exploited_count === 1 ? 'finding' : 'findings'}`;
}

/** The number of findings, with those without a fix: `12 findings, 3 of them without a fix`. */
function findingsIn(host: Omit<ActionFacts, 'overall_action'>): string {
  const { critical_count, important_count, moderate_count, low_count, unrated_count, unfixed_count } = host;
  const all = critical_count + important_count + moderate_count + low_count + unrated_count + unfixed_count;
  const words = amountInWords(all, 'finding', 'findings');
  if (unfixed_count === 0) return words;
  return `${words}, ${unfixed_count === all ? 'without a fix' : `${groupedNumber(unfixed_count)} of them without a fix`}`;
}

/** The number of findings; a zero or a low number is not all if advisories are missing. */
function knownFindingsIn(host: ActionFacts): string {
  return areFindingsKnown(host) ? findingsIn(host) : `Known so far: ${findingsIn(host)}`;
}

function advisoriesOf({ feed_updated_at }: ActionFacts): string {
  return feed_updated_at === null ? '' : `, advisories of ${dateInWords(new Date(feed_updated_at))}`;
}

/** What is not known on a host without a due action; '' if everything is known. */
function notKnown(host: ActionFacts, now: number): string {
  return host.gaps.length === 0 ? '' : ` Not known: ${reasonsInWords(host, gapOrder, now)}.`;
}
