import type { HostRepositoryRow } from '@plimsoll/db';

const dayMs = 24 * 60 * 60 * 1000;

/**
 * Why a host's copy of a repository has its state, in one sentence. `hostFetchedAt`: the host's newest fetch of any
 * repository.
 */
export function copySentence(copy: HostRepositoryRow, hostFetchedAt: Date | null): string {
  const { publishedAt, validUntil, fetchedAt, error } = copy;
  const name = copy.suite === '' ? copy.source : copy.suite;
  switch (copy.reason) {
    case 'expired':
      return `This copy of ${name} was valid until ${dayOf(validUntil)} only.`;
    case 'behind':
      return behind(copy, name);
    case 'newer_on_few':
      return newerOnFew(copy, name);
    case 'never_fetched':
      return `This host has no lists of ${name}: they were never fetched, or the report does not name them.`;
    case 'failed':
      return `${name} cannot be read or verified: ${error}.`;
    case 'left_behind':
      return `This host last fetched ${name} on ${dayOf(fetchedAt)}, others of its repositories on ${dayOf(hostFetchedAt)}.`;
    case 'no_date':
      return `The host does not report how old its copy of ${name} is.`;
    case 'future_date':
      return `The date of this copy of ${name}, ${dayOf(publishedAt)}, is in the future.`;
    case 'nothing_to_compare':
      return `No newest date of ${name} is known: neither its publisher nor three approved hosts report one.`;
    case 'as_new':
      return `This copy of ${name} is as new as the newest known one, or at most ${days(copy.maxLagDays)} older.`;
    case 'still_valid':
      return `No newest date of ${name} is known, but this copy is valid until ${dayOf(validUntil)}.`;
    default:
      return copy.reason satisfies never;
  }
}

function behind(
  { publishedAt, newestAt, newestSource, hostsWithNewer }: HostRepositoryRow,
  name: string,
): string {
  const lag = Math.floor(((newestAt?.getTime() ?? 0) - (publishedAt?.getTime() ?? 0)) / dayMs);
  if (newestSource === 'publisher') return `This copy of ${name} is ${days(lag)} older than the publisher’s.`;
  return `This copy of ${name} is ${days(lag)} older than on ${otherHosts(hostsWithNewer)}.`;
}

/** A reader can see none of the hosts. */
function otherHosts(count: number): string {
  return count === 0 ? 'other hosts' : count === 1 ? '1 other host' : `${count} other hosts`;
}

function newerOnFew({ publishedAt, seenAt, hostsWithNewer }: HostRepositoryRow, name: string): string {
  if (hostsWithNewer === 0) return `Fewer than three hosts have a newer copy of ${name}.`;
  const lag = Math.floor(((seenAt?.getTime() ?? 0) - (publishedAt?.getTime() ?? 0)) / dayMs);
  const have = hostsWithNewer === 1 ? 'has' : 'have';
  return `${otherHosts(hostsWithNewer)} ${have} a copy of ${name} that is ${days(lag)} newer.`;
}

function days(count: number): string {
  return count === 1 ? '1 day' : `${count} days`;
}

function dayOf(date: Date | null): string {
  return date === null ? 'an unknown day' : date.toISOString().slice(0, 10);
}
