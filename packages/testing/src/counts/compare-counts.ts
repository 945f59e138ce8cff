import type { CountCheck, CountExtent, CountReader } from './count-reader.ts';
import { compareOddOnes } from './document-counts.ts';
import { compareAdvisories, compareCves, compareFindings } from './finding-counts.ts';
import {
  type CountedHost,
  compareFleet,
  compareHosts,
  compareRhythms,
  compareSelections,
} from './host-counts.ts';

/**
 * Compares the counts that an API answers a reader with the lists that they belong to: of the fleet, tags, saved groups,
 * hosts, findings, advisories, CVEs and odd hosts. Nothing may change meanwhile.
 */
export async function* compareCounts(reader: CountReader, extent: CountExtent): AsyncGenerator<CountCheck> {
  const hosts = await reader.body<readonly CountedHost[]>('/hosts');
  const approved = hosts.filter((host) => host.approval_status === 'approved').length;
  yield* compareFleet(reader, hosts);
  yield* compareRhythms(reader, hosts, extent);
  yield* compareSelections(reader, hosts);
  yield* compareHosts(reader, hosts, extent);
  yield* compareFindings(reader, extent);
  yield* compareAdvisories(reader, extent);
  yield* compareCves(reader, approved, extent);
  yield* compareOddOnes(reader, hosts);
}
