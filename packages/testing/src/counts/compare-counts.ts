import type { CountCheck, CountExtent, CountReader } from './count-reader.ts';
import { compareOddOnes } from './document-counts.ts';
import { compareAdvisories, compareCves, compareFindings, compareHostDates } from './finding-counts.ts';
import {
  compareExports,
  compareInventory,
  compareSources,
  compareTimes,
  compareTrend,
} from './fleet-numbers.ts';
import {
  type CountedHost,
  compareFleet,
  compareHosts,
  compareRhythms,
  compareSelections,
} from './host-counts.ts';
import { comparePageLinks } from './page-links.ts';

/**
 * Compares the counts that an API answers a reader with the lists that they belong to: of the fleet, tags, saved groups,
 * hosts, findings, advisories, CVEs, odd hosts, the trend, time to patch, repositories, tables and the inventory. Nothing may
 * change meanwhile.
 */
export async function* compareCounts(reader: CountReader, extent: CountExtent): AsyncGenerator<CountCheck> {
  const hosts = await reader.body<readonly CountedHost[]>('/hosts');
  const approved = hosts.filter((host) => host.approval_status === 'approved').length;
  yield* compareFleet(reader, hosts);
  yield* compareRhythms(reader, hosts, extent);
  yield* compareSelections(reader, hosts);
  yield* compareHosts(reader, hosts, extent);
  yield* compareFindings(reader, extent);
  yield* comparePageLinks(reader, hosts, extent);
  yield* compareHostDates(
    reader,
    hosts.filter((host) => host.approval_status === 'approved'),
    extent,
  );
  yield* compareAdvisories(reader, extent);
  yield* compareCves(reader, approved, extent);
  yield* compareOddOnes(reader, hosts);
  yield* compareTrend(reader, hosts);
  const isSmall = extent.hosts === null;
  yield* compareTimes(reader, hosts, { tag: null, isRead: isSmall });
  const tag = rarestTag(hosts);
  if (tag !== undefined && !isSmall) yield* compareTimes(reader, hosts, { tag, isRead: true });
  if (isSmall) yield* compareSources(reader, hosts);
  yield* compareExports(reader, extent);
  yield* compareInventory(reader, hosts);
}

/** The tag that the fewest approved hosts have. */
function rarestTag(hosts: readonly CountedHost[]): string | undefined {
  const approved = hosts.filter((host) => host.approval_status === 'approved');
  const times = new Map<string, number>();
  for (const tag of approved.flatMap(({ tags }) => tags)) times.set(tag, (times.get(tag) ?? 0) + 1);
  return [...times].sort(([, a], [, b]) => a - b)[0]?.[0];
}
