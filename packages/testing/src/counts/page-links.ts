import { findingGaps } from '@plimsoll/model';
import {
  type CountCheck,
  type CountExtent,
  type CountReader,
  distinct,
  spread,
  withQuery,
} from './count-reader.ts';
import type { CountedHost } from './host-counts.ts';

interface Row {
  readonly key: string;
  readonly hosts: number;
  readonly overdue_hosts: number;
  readonly hosts_by_fix_state: Readonly<Record<string, number>>;
}

interface Summary {
  readonly findings: { readonly waived: number };
  readonly overdue: {
    readonly hosts: number;
    readonly findings: number;
    readonly by_tag: readonly { readonly tag: string; readonly hosts: number; readonly findings: number }[];
  };
}

/** The numbers of the pages of the fleet and of findings that link to findings, with the rows behind the links. */
export async function* comparePageLinks(
  reader: CountReader,
  hosts: readonly CountedHost[],
  extent: CountExtent,
): AsyncGenerator<CountCheck> {
  const byId = new Map(hosts.map((host) => [host.id, host]));
  const sumOf = (rows: readonly Row[], field: `${string}_count` & keyof CountedHost) =>
    rows.reduce((sum, { key }) => sum + (byId.get(key)?.[field] ?? 0), 0);
  const { findings, overdue } = await reader.body<Summary>('/fleet/summary');
  for (const { tag, ...counted } of [{ ...overdue, tag: null }, ...overdue.by_tag]) {
    const path = `/findings?group_by=host&overdue=true${tag === null ? '' : `&tag=${encodeURIComponent(tag)}`}`;
    const rows = await reader.rows<Row>(path);
    yield { what: `overdue hosts behind ${path}`, counted: counted.hosts, listed: rows.length };
    yield {
      what: `overdue findings behind ${path}`,
      counted: counted.findings,
      listed: sumOf(rows, 'overdue_count'),
    };
  }
  const waived = '/findings?group_by=host&only_waived=true';
  yield {
    what: `waived findings behind ${waived}`,
    counted: findings.waived,
    listed: sumOf(await reader.rows<Row>(waived), 'waived_count'),
  };
  yield* compareUnknown(reader, hosts);
  for (const filter of filtersOf(hosts)) yield* compareFiltered(reader, filter, extent);
}

/** The hosts of which findings do not say all, as the page of findings counts and links them. */
async function* compareUnknown(
  reader: CountReader,
  hosts: readonly CountedHost[],
): AsyncGenerator<CountCheck> {
  for (const tag of [null, ...tagsOf(hosts)]) {
    const query = tag === null ? '' : `tag=${encodeURIComponent(tag)}`;
    const counted = await reader.header(withQuery('/findings?limit=1', query), 'plimsoll-unknown-hosts');
    const path = withQuery('/hosts?approval_status=approved&findings_known=false', query);
    const own = hosts.filter(
      (host) =>
        host.approval_status === 'approved' &&
        (tag === null || host.tags.includes(tag)) &&
        host.gaps.some((gap) => findingGaps.some((each) => each === gap)),
    );
    yield { what: `hosts not known behind ${path}`, counted, listed: await reader.total(path) };
    yield { what: `hosts with such gaps for ${path}`, counted, listed: own.length };
  }
}

/** Filters of the page of findings: the links of its numbers have them, too. */
function filtersOf(hosts: readonly CountedHost[]): readonly string[] {
  return [
    'severity=critical',
    'severity=moderate',
    'known_exploited=true',
    'known_exploited=false',
    'overdue=true',
    'q=a',
    'only_waived=true',
    ...tagsOf(hosts).map((tag) => `tag=${encodeURIComponent(tag)}`),
  ];
}

/** Two tags of approved hosts. */
function tagsOf(hosts: readonly CountedHost[]): readonly string[] {
  const approved = hosts.filter((host) => host.approval_status === 'approved');
  return [...new Set(approved.flatMap(({ tags }) => tags))].sort().slice(0, 2);
}

async function* compareFiltered(
  reader: CountReader,
  filter: string,
  extent: CountExtent,
): AsyncGenerator<CountCheck> {
  for (const grouping of ['advisory', 'cve', 'package'] as const) {
    const rows = await reader.rows<Row>(`/findings?group_by=${grouping}&${filter}`);
    for (const row of spread(rows, extent.rows ?? 3)) {
      const path = `/findings?group_by=host&${grouping}=${encodeURIComponent(row.key)}&${filter}`;
      const listed = await reader.rows<Row>(path);
      const what = `${grouping} ${row.key} with ${filter}`;
      yield { what: `${what}: hosts`, counted: row.hosts, listed: distinct(listed.map(({ key }) => key)) };
      const overdue = await reader.total(withQuery(path, filter === 'overdue=true' ? '' : 'overdue=true'));
      yield { what: `${what}: overdue hosts`, counted: row.overdue_hosts, listed: overdue };
      for (const [state, counted] of Object.entries(row.hosts_by_fix_state)) {
        const ofState = await reader.total(withQuery(path, `fix_state=${state}`));
        yield { what: `${what}: hosts ${state}`, counted, listed: ofState };
      }
    }
  }
}
