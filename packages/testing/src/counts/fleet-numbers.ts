import { isCveName } from '@plimsoll/model';
import {
  type CountCheck,
  type CountExtent,
  type CountReader,
  distinct,
  spread,
  withQuery,
} from './count-reader.ts';
import type { CountedHost } from './host-counts.ts';

type Numbers = { readonly [name: string]: number | string | Numbers | null | readonly unknown[] };

/** The numbers of an object and of those within, by their paths. */
function* numbersIn(numbers: Numbers, before = ''): Iterable<readonly [path: string, value: number]> {
  for (const [name, value] of Object.entries(numbers)) {
    if (typeof value === 'number') yield [`${before}${name}`, value];
    else if (value !== null && typeof value === 'object' && !Array.isArray(value))
      yield* numbersIn(value as Numbers, `${before}${name} `); // No list, see above.
  }
}

/** Today's totals in the trend of the fleet with those of the summary, and of tags with the hosts that have them. */
export async function* compareTrend(
  reader: CountReader,
  hosts: readonly CountedHost[],
): AsyncGenerator<CountCheck> {
  type Day = { totals: Numbers | null };
  const today = async (query: string): Promise<Map<string, number>> => {
    const days = await reader.body<readonly Day[]>(withQuery('/fleet/trend', query));
    return new Map(numbersIn(days.at(-1)?.totals ?? {}));
  };
  const summary = new Map(numbersIn(await reader.body<Numbers>('/fleet/summary')));
  for (const [path, counted] of await today('days=1'))
    yield { what: `trend: ${path}`, counted, listed: summary.get(path) ?? -1 };
  const approved = hosts.filter((host) => host.approval_status === 'approved');
  for (const tag of spread([...new Set(approved.flatMap(({ tags }) => tags))].sort(), 5)) {
    const members = approved.filter(({ tags }) => tags.includes(tag));
    const totals = await today(`days=1&tag=${encodeURIComponent(tag)}`);
    const of = (path: string, listed: number): CountCheck => ({
      what: `trend of tag ${tag}: ${path}`,
      counted: totals.get(path) ?? -1,
      listed,
    });
    yield of('hosts', members.length);
    for (const severity of ['critical', 'important', 'unfixed', 'known_exploited', 'waived'] as const) {
      // Null before the first sync of CISA KEV.
      if (severity === 'known_exploited' && !totals.has(`findings ${severity}`)) continue;
      yield of(
        `findings ${severity}`,
        members.reduce((sum, host) => sum + host[`${severity}_count`], 0),
      );
    }
  }
}

interface Times {
  readonly closed: number;
  readonly open: number;
  readonly open_without_fix: number;
  readonly open_waived: number;
  readonly open_on_silent_hosts: number;
  readonly ended_otherwise: Readonly<Record<string, number>>;
  readonly open_by_day: readonly (number | null)[];
}

interface Exposure {
  readonly package: string;
  readonly cves: readonly string[];
  readonly severity: string;
  readonly from: string;
  readonly from_cause: string;
  readonly known_at: string;
  readonly until: string | null;
  readonly until_cause: string | null;
}

const sumOf = (numbers: Iterable<number>): number => [...numbers].reduce((sum, each) => sum + each, 0);
const patched: ReadonlySet<string | null> = new Set(['package_changed', 'kernel_booted', 'first_snapshot']);

/** Whether another exposure of the host's goes on about the same CVEs, known for as long. */
function isContinued(
  { until, until_cause, package: name, cves }: Exposure,
  own: readonly Exposure[],
): boolean {
  return (
    until_cause === 'source_changed' &&
    own.some(
      (other) =>
        other.from === until &&
        other.from_cause === 'source_changed' &&
        other.known_at < other.from &&
        other.package === name &&
        other.cves.some((cve) => cves.includes(cve)),
    )
  );
}

/**
 * The numbers of time to patch, of the last 30 days, with the exposures of the hosts with a tag; of all hosts for null. `isRead`: whether
 * the exposures of each host are read.
 */
export async function* compareTimes(
  reader: CountReader,
  hosts: readonly CountedHost[],
  { tag, isRead }: { readonly tag: string | null; readonly isRead: boolean },
): AsyncGenerator<CountCheck> {
  const from = new Date(Date.now() - 30 * 86_400_000).toISOString();
  type Answer = {
    to: string;
    hosts: number;
    uncounted_hosts: number;
    all: Times;
    by_severity: Readonly<Record<string, Times>>;
  };
  const tagged = tag === null ? '' : `&tag=${encodeURIComponent(tag)}`;
  const answer = await reader.body<Answer>(`/fleet/time-to-patch?from=${from}${tagged}`);
  const retired = await reader.body<readonly CountedHost[]>('/hosts?retired=true');
  const members = [...hosts, ...retired].filter(
    ({ approval_status, retired_at, tags }) =>
      (approval_status === 'approved' || (retired_at ?? '') > from) && (tag === null || tags.includes(tag)),
  );
  const what = `time to patch of ${tag ?? 'all hosts'}`;
  yield { what: `${what}: hosts`, counted: answer.hosts, listed: members.length };
  const severities = Object.entries(answer.by_severity);
  for (const field of ['closed', 'open', 'open_without_fix', 'open_waived', 'open_on_silent_hosts'] as const)
    yield {
      what: `${what}: ${field} of all severities`,
      counted: answer.all[field],
      listed: sumOf(severities.map(([, times]) => times[field])),
    };
  if (!isRead || answer.uncounted_hosts > 0) return;
  const exposures: Exposure[] = [];
  const continued = new Set<Exposure>();
  for (const { id, retired_at: end } of members) {
    const own = await reader.rows<Exposure>(`/hosts/${id}/exposures?from=${from}`);
    for (const one of own) if (isContinued(one, own)) continued.add(one);
    // What goes on when a host is retired is in no number.
    exposures.push(...own.filter(({ until }) => end === null || (until !== null && until < end)));
  }
  const isOpen = ({ from: begun, until }: Exposure) =>
    begun < answer.to && (until === null || until >= answer.to);
  for (const [severity, times] of severities) {
    const own = exposures.filter((one) => one.severity === severity);
    const ended = own.filter(({ until }) => until !== null && until >= from && until < answer.to);
    const closed = ended.filter((one) => patched.has(one.until_cause));
    const { open, open_without_fix, open_waived, open_on_silent_hosts } = times;
    const of = (field: string, counted: number, listed: number): CountCheck => ({
      what: `${what}: ${severity} ${field}`,
      counted,
      listed,
    });
    yield of('closed', times.closed, closed.length);
    const otherwise = ended.filter((one) => !patched.has(one.until_cause) && !continued.has(one));
    yield of('ended otherwise', sumOf(Object.values(times.ended_otherwise)), otherwise.length);
    const all = sumOf([open, open_without_fix, open_waived, open_on_silent_hosts]);
    yield of('open', all, own.filter(isOpen).length);
    yield of('open on the last day', times.open_by_day.at(-1) ?? 0, all);
  }
}

/** The lines of tables for spreadsheets, with the lists that they are of. */
export async function* compareExports(reader: CountReader, extent: CountExtent): AsyncGenerator<CountCheck> {
  const of = async (table: string, path: string): Promise<CountCheck> => ({
    what: `lines of GET ${table}`,
    counted: (await reader.lines(table)) - 1,
    listed: await reader.total(path),
  });
  yield await of('/hosts.csv', '/hosts');
  yield await of('/hosts.csv?finding_severity=critical', '/hosts?finding_severity=critical');
  for (const grouping of ['advisory', 'cve', 'package', 'host'] as const)
    yield await of(`/findings.csv?group_by=${grouping}`, `/findings?group_by=${grouping}`);
  const rows = await reader.rows<{ key: string }>('/findings?group_by=cve');
  for (const { key } of spread(rows, extent.rows)) {
    const hosts = `/cves/${encodeURIComponent(key)}/hosts`;
    type Page = { hosts: readonly { packages: readonly object[] }[] };
    const rowsOf = ({ hosts: listed }: Page) => listed;
    const fixed = await reader.rows<Page['hosts'][number]>(`${hosts}?state=fixed`, rowsOf as never); // Its body is a page.
    const table = `${hosts}.csv?state=fixed`;
    yield {
      what: `lines of GET ${table}`,
      counted: (await reader.lines(table)) - 1,
      listed: sumOf(fixed.map(({ packages }) => Math.max(packages.length, 1))),
    };
  }
}

/** The hosts of Ansible's inventory, all and by group. */
export async function* compareInventory(
  reader: CountReader,
  hosts: readonly CountedHost[],
): AsyncGenerator<CountCheck> {
  type Inventory = { _meta: { hostvars: Readonly<Record<string, { plimsoll_action: string }>> } };
  type Groups = Readonly<Record<string, { readonly hosts?: readonly string[] }>>;
  const inventory = await reader.body<Inventory & Groups>('/inventory/ansible');
  const approved = hosts.filter((host) => host.approval_status === 'approved');
  const variables = Object.values(inventory._meta.hostvars);
  yield { what: 'inventory: hosts', counted: variables.length, listed: approved.length };
  for (const action of new Set(approved.map(({ overall_action: action }) => action))) {
    const listed = approved.filter((host) => host.overall_action === action).length;
    const counted = variables.filter((one) => one.plimsoll_action === action).length;
    yield { what: `inventory: hosts with ${action}`, counted, listed };
    const group = inventory[`action_${action}`];
    yield { what: `inventory: group of ${action}`, counted: distinct(group?.hosts ?? []), listed };
  }
}

/** The hosts of repositories, with the repositories of each host, and the hosts that feeds are needed by. */
export async function* compareSources(
  reader: CountReader,
  hosts: readonly CountedHost[],
): AsyncGenerator<CountCheck> {
  type Row = { hosts: number; outdated_hosts: number };
  const rows = await reader.rows<Row>('/repositories');
  let copies = 0;
  let outdated = 0;
  for (const { id } of hosts.filter((host) => host.approval_status === 'approved'))
    for (const { state, used } of await reader.body<readonly { state: string; used: boolean }[]>(
      `/hosts/${id}/repositories`,
    )) {
      copies += 1;
      if (used && state === 'outdated') outdated += 1;
    }
  yield { what: 'repositories: copies', counted: sumOf(rows.map((row) => row.hosts)), listed: copies };
  yield {
    what: 'repositories: outdated copies',
    counted: sumOf(rows.map((row) => row.outdated_hosts)),
    listed: outdated,
  };
}

/** What new decisions would concern, with the lists of what they concern. For an admin; the policy of due dates is by severity. */
export async function* comparePreviews(
  reader: CountReader,
  hosts: readonly CountedHost[],
  extent: CountExtent,
): AsyncGenerator<CountCheck> {
  const approved = hosts.filter((host) => host.approval_status === 'approved');
  type Flow = { now: number; after: number; become: number; stop: number };
  const due = await reader.post<{ fleet: number; compared: number; hosts: Flow; findings: Flow }>(
    '/policies/due-dates/preview',
    { preset: 'by-severity' },
  );
  // Of a large fleet the others are estimates.
  if (due.compared === due.fleet) {
    const overdue = approved.filter((host) => host.overdue_count > 0).length;
    const findings = sumOf(approved.map((host) => host.overdue_count));
    for (const [what, { now, after, become, stop }, listed] of [
      ['hosts', due.hosts, overdue],
      ['findings', due.findings, findings],
    ] as const) {
      yield { what: `preview of due dates: ${what} now`, counted: now, listed };
      yield { what: `preview of due dates: ${what} after`, counted: after, listed: now };
      yield { what: `preview of due dates: ${what} that change`, counted: become + stop, listed: 0 };
    }
  }
  yield* compareTagPreview(reader, hosts);
  yield* compareWaiverPreviews(reader, extent);
}

async function* compareTagPreview(
  reader: CountReader,
  hosts: readonly CountedHost[],
): AsyncGenerator<CountCheck> {
  const first = hosts.find((host) => host.os_name !== '');
  if (first === undefined) return;
  const inService = hosts.filter((host) => host.approval_status !== 'retired');
  const rule = { os: `${first.os_name}:${first.os_major}`, trust_hosts: true, tags: ['previewed'] };
  const { rules, tags } = await reader.post<{
    rules: readonly { hosts: number }[];
    tags: readonly { tag: string; hosts: number; gain: number }[];
  }>('/policies/tags/preview', { rules: [rule] });
  const listed = inService.filter(
    (host) => host.os_name === first.os_name && host.os_major === first.os_major,
  ).length;
  yield { what: `preview of tags: ${rule.os}`, counted: rules[0]?.hosts ?? -1, listed };
  const tag = tags.find((each) => each.tag === 'previewed');
  yield { what: `preview of tags: hosts that get it`, counted: tag?.gain ?? -1, listed };
}

async function* compareWaiverPreviews(reader: CountReader, extent: CountExtent): AsyncGenerator<CountCheck> {
  const rows = await reader.rows<{ key: string }>('/findings?group_by=advisory&include_waived=true');
  // The name of a CVE stands for all advisories that are about it.
  for (const { key } of spread(
    rows.filter((row) => !isCveName(row.key)),
    extent.rows,
  )) {
    const preview = await reader.post<{ matched_findings: number; matched_hosts: number }>('/waivers', {
      kind: 'risk_accepted',
      advisories: [key],
      all_hosts: true,
      check_only: true,
    });
    const path = `/findings?group_by=host&advisory=${encodeURIComponent(key)}&include_waived=true`;
    yield {
      what: `waiver of ${key}: hosts`,
      counted: preview.matched_hosts,
      listed: await reader.total(path),
    };
  }
}
