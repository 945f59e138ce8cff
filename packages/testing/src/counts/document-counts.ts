import { findingGaps } from '@plimsoll/model';
import { type CountCheck, type CountReader, distinct, withQuery } from './count-reader.ts';
import type { CountedHost } from './host-counts.ts';

interface Waiver {
  readonly id: string;
  readonly matched_findings: number;
  readonly matched_hosts: number;
}

/** The findings and hosts of the waivers that apply, with the lists of all hosts. Only one waiver may cover an advisory. */
export async function* compareWaivers(
  reader: CountReader,
  hosts: readonly CountedHost[],
): AsyncGenerator<CountCheck> {
  type Row = { advisories: readonly { waiver?: { id: string } }[] };
  const findings = new Map<string, string[]>();
  for (const { id } of hosts.filter((host) => host.approval_status === 'approved')) {
    const path = `/hosts/${id}/packages/vulnerable?include_unfixed=true&include_waived=true`;
    for (const { advisories } of await reader.body<readonly Row[]>(path))
      for (const waiver of new Set(advisories.flatMap((each) => each.waiver?.id ?? [])))
        findings.set(waiver, [...(findings.get(waiver) ?? []), id]);
  }
  for (const waiver of await reader.rows<Waiver>('/waivers?state=active')) {
    const listed = findings.get(waiver.id) ?? [];
    yield { what: `waiver ${waiver.id}: findings`, counted: waiver.matched_findings, listed: listed.length };
    yield { what: `waiver ${waiver.id}: hosts`, counted: waiver.matched_hosts, listed: distinct(listed) };
  }
}

/** The numbers of a report by mail about the hosts with a tag, or all, with the lists of hosts and findings. */
export async function* compareBulletin(
  reader: CountReader,
  id: string,
  hosts: readonly CountedHost[],
): AsyncGenerator<CountCheck> {
  type Counted = { findings: number; hosts: number };
  type Contents = {
    about: { kind: string; name: string };
    hosts: number;
    unknown_hosts: number;
    gaps: readonly { gap: string; hosts: number }[];
    open: readonly (Counted & { severity: string })[];
    known_exploited: Counted;
    overdue: Counted;
    first: readonly { key: string; hosts: number; installable_hosts: number; overdue_hosts: number }[];
    advisories: number;
  };
  const contents = await reader.body<Contents>(`/bulletins/${id}/preview`);
  const { about } = contents;
  const members = hosts.filter(
    (host) => host.approval_status === 'approved' && (about.kind === 'all' || host.tags.includes(about.name)),
  );
  const tag = about.kind === 'tag' ? `tag=${encodeURIComponent(about.name)}` : 'group_by=advisory';
  const of = (what: string, counted: number, listed: number): CountCheck => ({
    what: `report on ${about.name}: ${what}`,
    counted,
    listed,
  });
  const withField = (what: string, counted: Counted, field: `${string}_count` & keyof CountedHost) => [
    of(
      `${what} findings`,
      counted.findings,
      members.reduce((sum, host) => sum + host[field], 0),
    ),
    of(`hosts with ${what}`, counted.hosts, members.filter((host) => host[field] > 0).length),
  ];
  yield of('hosts', contents.hosts, members.length);
  const unknown = members.filter((host) => host.gaps.some((gap) => findingGaps.some((each) => each === gap)));
  yield of('hosts not known', contents.unknown_hosts, unknown.length);
  for (const { gap, hosts: counted } of contents.gaps)
    yield of(
      `hosts with ${gap}`,
      counted,
      members.filter((host) => host.gaps.some((each) => each === gap)).length,
    );
  for (const { severity, ...counted } of contents.open)
    yield* withField(severity, counted, `${severity}_count` as 'low_count');
  yield* withField('exploited', contents.known_exploited, 'known_exploited_count');
  yield* withField('overdue', contents.overdue, 'overdue_count');
  yield of('advisories', contents.advisories, await reader.total(withQuery('/findings', tag)));
  for (const row of contents.first) {
    const path = withQuery(
      withQuery('/findings', `group_by=host&advisory=${encodeURIComponent(row.key)}`),
      tag.startsWith('tag') ? tag : 'severity=unrated',
    );
    yield of(`hosts of ${row.key}`, row.hosts, await reader.total(path));
    const installable = await reader.total(withQuery(path, 'fix_state=installable'));
    yield of(`hosts of ${row.key} with the fix at hand`, row.installable_hosts, installable);
    const overdue = await reader.total(withQuery(path, 'overdue=true'));
    yield of(`overdue hosts of ${row.key}`, row.overdue_hosts, overdue);
  }
}

/** The totals of a plan for the hosts that filters select, with its hosts and their lists of findings. */
export async function* comparePlan(
  reader: CountReader,
  filter: Readonly<Record<string, string>>,
): AsyncGenerator<CountCheck> {
  type Planned = {
    host_id: string;
    state: string;
    not_covered: object | null;
    packages: readonly object[];
    closes: readonly { id: string; after_reboot: boolean }[];
    stays_open: readonly { advisories: number; listed: readonly { id: string }[] }[];
    reboot: { state: string };
    restarts: { state: string };
  };
  const { totals, hosts } = await reader.post<{
    totals: Readonly<Record<string, number>>;
    hosts: readonly Planned[];
  }>('/plans', { filter });
  const query = new URLSearchParams(filter).toString();
  const sum = (of: (host: Planned) => number) => hosts.reduce((total, host) => total + of(host), 0);
  const listed: Readonly<Record<string, number>> = {
    hosts: (await reader.body<readonly string[]>(`/hosts/ids?${query}`)).length,
    planned: sum(({ state }) => Number(state === 'planned')),
    nothing_to_do: sum(({ state }) => Number(state === 'nothing_to_do')),
    not_plannable: sum(({ state }) => Number(state === 'not_plannable')),
    not_covered: sum(({ not_covered }) => Number(not_covered !== null)),
    packages: sum(({ packages }) => packages.length),
    closes: sum(({ closes }) => closes.length),
    closes_after_reboot: sum(({ closes }) => closes.filter((each) => each.after_reboot).length),
    stays_open: sum(({ stays_open: open }) => open.reduce((total, each) => total + each.advisories, 0)),
  };
  for (const [field, counted] of Object.entries(listed))
    yield { what: `plan of ${query}: ${field}`, counted: totals[field] ?? -1, listed: counted };
  const isWhole = ({ stays_open: open }: Planned) =>
    open.every(({ advisories, listed: some }) => advisories === some.length);
  for (const host of hosts.filter((each) => each.state !== 'not_plannable' && isWhole(each))) {
    type Row = { advisories: readonly { id: string }[] };
    const found = await reader.body<readonly Row[]>(
      `/hosts/${host.host_id}/packages/vulnerable?include_unfixed=true`,
    );
    const open = found.flatMap(({ advisories }) => advisories.map(({ id }) => id));
    const planned = [...host.closes, ...host.stays_open.flatMap(({ listed: some }) => some)].map(
      ({ id }) => id,
    );
    yield {
      what: `plan of host ${host.host_id}: advisories`,
      counted: distinct(planned),
      listed: distinct(open),
    };
  }
}

/** The numbers of hosts of the hosts that differ from others. */
export async function* compareOddOnes(
  reader: CountReader,
  hosts: readonly CountedHost[],
): AsyncGenerator<CountCheck> {
  type Release = { release: string; hosts: number; odd_hosts: number | null; odd: readonly object[] };
  type Odd = {
    hosts: number;
    unreported_hosts: number;
    left_out_hosts: number;
    releases: readonly Release[];
  };
  const odd = await reader.body<Odd>('/hosts/odd-ones-out?limit=500');
  const approved = hosts.filter((host) => host.approval_status === 'approved');
  const unreported = approved.filter(({ gaps }) => gaps.includes('no_report'));
  yield { what: 'odd ones out: hosts', counted: odd.hosts, listed: approved.length };
  yield { what: 'odd ones out: without a report', counted: odd.unreported_hosts, listed: unreported.length };
  const compared = odd.releases.reduce((sum, release) => sum + release.hosts, 0);
  yield {
    what: 'odd ones out: compared',
    counted: odd.hosts - odd.unreported_hosts - odd.left_out_hosts,
    listed: compared,
  };
  for (const { release, odd_hosts: counted, odd: listed } of odd.releases)
    if (counted !== null && counted <= 500)
      yield { what: `odd ones out of ${release}`, counted, listed: listed.length };
}
