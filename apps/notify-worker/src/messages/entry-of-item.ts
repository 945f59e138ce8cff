import type { DeliveryItem } from '@plimsoll/db';
import { hostCount } from '@plimsoll/model';
import { severityWords } from '@plimsoll/words';
import { cut } from '../channels/cut.ts';
import type { MessageEntry } from './message.ts';
import { plainLine } from './plain-line.ts';
import { timeWords } from './time-words.ts';

/** Hosts named in one entry. */
const namedHosts = 5;
/** Characters of a text of a host or a feed. */
const longestText = 200;

/**
 * What an event says, with its address in the dashboard.
 * @param publicUrl without a slash at the end; null: the service does not know its address
 */
export function entryOfItem(item: DeliveryItem, publicUrl: string | null): MessageEntry {
  const { title, text, path } = wordsOf(item);
  return { title, text, url: publicUrl === null ? null : `${publicUrl}${path}` };
}

interface Words {
  readonly title: string;
  readonly text: string;
  readonly path: string;
}

function wordsOf(item: DeliveryItem): Words {
  const hosts = hostCount(item.host_count);
  const names = namesOf(item);
  const hostPath = item.hosts?.length === 1 ? `/hosts/${item.hosts[0]?.id ?? ''}` : null;
  const own = (title: string, text: string, path = '/hosts'): Words => ({
    title,
    text,
    path: hostPath ?? path,
  });
  switch (item.event) {
    case 'finding.new':
    case 'finding.known_exploited':
      return wordsOfFinding(item, '');
    case 'finding.due_soon':
      return item.subject === ''
        ? own(`Many findings are due within three days, on ${hosts}`, withEvidence(item, names), '/findings')
        : wordsOfFinding(item, ', due within three days');
    case 'finding.overdue':
      return item.subject === ''
        ? own(
            `Many findings became overdue, on ${hosts}`,
            withEvidence(item, names),
            '/findings?overdue=true',
          )
        : wordsOfFinding(item, ', overdue');
    case 'fix.reachable':
      return item.subject === ''
        ? own(`Fixes that were blocked can be installed on ${hosts}`, names, '/findings')
        : wordsOfFinding(item, ', its fix can be installed now');
    case 'host.enrolled':
      return own(`${hosts} enrolled`, names);
    case 'host.pending':
      return own(
        `${hosts} waiting for approval`,
        `Approve or delete: ${names}`,
        '/hosts?approval_status=pending',
      );
    case 'host.stale':
      return own(
        `No current report from ${hosts}`,
        `The last report is old, or there is none. What is shown of them may be out of date: ${names}`,
      );
    case 'host.back':
      return own(`Reporting now: ${hosts}`, names);
    case 'pull.failing':
      return own(`Pulls over SSH fail for ${hosts}`, `Three or more in a row: ${names}`);
    case 'host_key.changed':
      return own(
        `Another SSH host key on ${hosts}`,
        `Nothing is pulled until the key is accepted. Find out why it changed first: ${names}`,
      );
    case 'repository.outdated':
      return own(
        `Outdated repositories on ${hosts}`,
        `Fixes that their publishers released are not there: ${names}`,
      );
    case 'repository.failing':
      return own(
        `Repositories fail on ${hosts}`,
        `They cannot be read or verified, so updates do not arrive: ${names}`,
        '/hosts?gap=repository_failing',
      );
    case 'disagreement.jumped':
      return own(
        `Many more disagreements with the package manager on ${hosts}`,
        `Either a feed or a repository says something wrong there: ${names}`,
        '/hosts?has_disagreements=true',
      );
    case 'feed.failed':
      return feed(`The feed ${item.subject} could not be synced`, textOf(item.data['error']));
    case 'feed.stale':
      return staleFeed(item);
    case 'waiver.expiring':
      return {
        title: 'A waiver ends within a week',
        text: `It ends on ${timeWords(textOf(item.data['expires_at']))}. What it covers then counts again.`,
        path: '/waivers',
      };
    case 'auth.lockout':
      return {
        title: `Too many failed sign-ins: ${textOf(item.data['email'])}`,
        text: 'The account has to wait before the next attempt from an unknown address. If it was not its user, see the audit log.',
        path: '/settings?tab=audit',
      };
    default:
      return item.event satisfies never;
  }
}

/** About a feed, or about its data of a release (`feed/release`). Without a date it was never synced. */
function staleFeed({ subject, data }: DeliveryItem): Words {
  const { updated_at: updatedAt, releases } = data;
  const of = Array.isArray(releases) && releases.length > 0 ? ` for ${releases.map(textOf).join(', ')}` : '';
  const [id = ''] = subject.split('/');
  const isExploitation = id === 'cisa-kev';
  const error = textOf(data['error']);
  if (typeof updatedAt !== 'string')
    return feed(
      `The feed ${id} was never synced${of}`,
      isExploitation
        ? `Which findings are known to be exploited is not known here. ${error}`
        : `Which findings hosts have is not known here without it. ${error}`,
    );
  const hidden = isExploitation ? 'What became known to be exploited since is' : 'Newer advisories are';
  return feed(
    `The data of the feed ${id}${of} is outdated`,
    `It is of ${timeWords(updatedAt)}. ${hidden} not known here. ${error}`,
  );
}

function feed(title: string, text: string): Words {
  return { title, text: text.trim(), path: '/settings?tab=feeds' };
}

function wordsOfFinding(item: DeliveryItem, since: string): Words {
  const advisory = item.data['advisory'];
  const facts =
    typeof advisory === 'object' && advisory !== null ? (advisory as Record<string, unknown>) : {};
  const { title, cves, known_exploited: exploited, has_fix: hasFix } = facts;
  const named = Array.isArray(cves) ? cves.filter((cve) => cve !== item.subject).slice(0, 5) : [];
  const about = [
    title === item.subject ? '' : textOf(title),
    named.length === 0 ? '' : `(${named.map(textOf).join(', ')})`,
  ]
    .filter((part) => part !== '')
    .join(' ');
  const lines = [
    about === '' || /[.!?…]$/.test(about) ? about : `${about}.`,
    hasFix === undefined
      ? ''
      : hasFix === true
        ? 'The vendor has published a fix.'
        : 'The vendor has published no fix.',
    `${item.host_count === 1 ? 'Host' : 'Hosts'}: ${namesOf(item)}`,
  ];
  const state = exploited === true ? ', known to be exploited' : '';
  return {
    title: `${textOf(item.subject)}: ${severityWords[item.severity ?? 'unrated'].words.toLowerCase()}${state}${since}, on ${hostCount(item.host_count)}`,
    text: withEvidence(item, lines.filter((line) => line !== '').join(' ')),
    path: `/advisories/${encodeURIComponent(item.subject)}`,
  };
}

/** A text about due findings; first what comes before a host is changed, if the due dates ask for forensics. */
function withEvidence({ data }: DeliveryItem, text: string): string {
  return data['forensics'] === true
    ? `Take the evidence before a host is changed: the due dates ask for a forensic examination. ${text}`
    : text;
}

function namesOf({ hosts, host_count: total }: DeliveryItem): string {
  const named = (hosts ?? []).slice(0, namedHosts).map(({ display_name: name }) => textOf(name));
  const others = total - named.length;
  return `${named.join(', ')}${others > 0 ? ` and ${others} more` : ''}.`;
}

/** Text of a host or a feed. */
function textOf(value: unknown): string {
  return cut(typeof value === 'string' ? plainLine(value) : '', longestText);
}
