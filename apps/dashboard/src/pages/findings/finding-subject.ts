import type { FindingGrouping, FleetFinding } from '@plimsoll/contract';
import type { WaiverSubject } from '../waivers/new/waiver-subject.ts';
import type { FindingsSearch } from './findings-search.ts';

type Row = Pick<FleetFinding, 'key' | 'title'>;

/**
 * What can be accepted of selected rows: what they are about, and on the hosts of rows of hosts what the filters of the
 * list name. Filters by tag are offered as tags.
 */
export function subjectOfRows(
  rows: readonly Row[],
  grouping: FindingGrouping,
  { advisory, cve, package: source, tag }: FindingsSearch,
): WaiverSubject {
  const keys = rows.map(({ key }) => key);
  const of = (own: FindingGrouping, filtered: string | undefined) =>
    grouping === own ? keys : grouping === 'host' && filtered !== undefined ? [filtered] : [];
  return {
    advisories: of('advisory', advisory),
    cves: of('cve', cve),
    packages: of('package', source),
    hosts: grouping === 'host' ? rows.map(({ key, title }) => ({ id: key, name: title })) : [],
    tags: tag === undefined ? [] : [tag],
  };
}
