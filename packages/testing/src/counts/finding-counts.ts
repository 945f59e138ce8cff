import {
  type CountCheck,
  type CountExtent,
  type CountReader,
  distinct,
  spread,
  withQuery,
} from './count-reader.ts';

interface FindingRow {
  readonly key: string;
  readonly due_at: string | null;
  readonly hosts: number;
  readonly hosts_by_fix_state: Readonly<Record<string, number>>;
  readonly overdue_hosts: number;
  readonly waived_hosts: number;
}

interface HostOfAdvisory {
  readonly host_id: string;
  readonly packages: readonly { readonly fixed_version: string | null; readonly waiver?: object }[];
}

const groupings = ['advisory', 'cve', 'package'] as const;
const cveStates = ['affected', 'fixed', 'not_affected', 'unknown'] as const;

/** The numbers of rows of findings, each with the rows of hosts that it links to. */
export async function* compareFindings(reader: CountReader, extent: CountExtent): AsyncGenerator<CountCheck> {
  for (const grouping of groupings) {
    const rows = await reader.rows<FindingRow>(`/findings?group_by=${grouping}&include_waived=true`);
    const open = new Map(
      (await reader.rows<FindingRow>(`/findings?group_by=${grouping}`)).map((row) => [row.key, row]),
    );
    for (const row of spread(rows, extent.rows)) {
      const path = `/findings?group_by=host&${grouping}=${encodeURIComponent(row.key)}`;
      yield* compareRow(reader, `${grouping} ${row.key}`, withQuery(path, 'include_waived=true'), row);
      const unwaived = open.get(row.key);
      if (unwaived === undefined) {
        yield { what: `GET ${path}`, counted: 0, listed: await reader.total(path) };
        continue;
      }
      yield* compareRow(reader, `${grouping} ${row.key} without waived`, path, unwaived);
    }
  }
}

async function* compareRow(
  reader: CountReader,
  what: string,
  path: string,
  row: FindingRow,
): AsyncGenerator<CountCheck> {
  const hosts = await reader.rows<FindingRow>(path);
  yield { what: `${what}: hosts`, counted: row.hosts, listed: distinct(hosts.map(({ key }) => key)) };
  yield {
    what: `${what}: hosts with all of it waived`,
    counted: row.waived_hosts,
    listed: hosts.reduce((sum, { waived_hosts: waived }) => sum + waived, 0),
  };
  const ofStates = Object.values(row.hosts_by_fix_state).reduce((sum, each) => sum + each, 0);
  yield { what: `${what}: hosts of all states`, counted: row.hosts, listed: ofStates };
  for (const [state, counted] of Object.entries(row.hosts_by_fix_state)) {
    const listed = (await reader.rows(withQuery(path, `fix_state=${state}`))).length;
    yield { what: `${what}: hosts ${state}`, counted, listed };
  }
  const dates = hosts.map(({ due_at }) => timeOf(due_at));
  yield { what: `${what}: due date`, counted: timeOf(row.due_at), listed: Math.min(...dates) };
  const overdue = (await reader.rows(withQuery(path, 'overdue=true'))).length;
  yield { what: `${what}: overdue hosts`, counted: row.overdue_hosts, listed: overdue };
}

/** In milliseconds since 1970; infinite: at no known time. */
function timeOf(time: string | null): number {
  return time === null ? Number.POSITIVE_INFINITY : Date.parse(time);
}

/** The due dates of the advisories and source packages of hosts in rows of findings, with the list of each host. */
export async function* compareHostDates(
  reader: CountReader,
  hosts: readonly { readonly id: string }[],
  extent: Pick<CountExtent, 'hosts'>,
): AsyncGenerator<CountCheck> {
  type Listed = {
    source_name: string;
    advisories: readonly { id: string; due: { at: string | null } | null }[];
  };
  for (const { id } of spread(hosts, extent.hosts)) {
    const list = await reader.body<readonly Listed[]>(
      `/hosts/${id}/packages/vulnerable?include_unfixed=true`,
    );
    const named = list.flatMap(({ source_name, advisories }) =>
      advisories.map((advisory) => ({ ...advisory, source_name })),
    );
    for (const grouping of ['advisory', 'package'] as const) {
      const listed = new Map<string, number>();
      for (const { id: advisory, source_name: source, due } of named) {
        const key = grouping === 'advisory' ? advisory : source;
        const at = Math.ceil(timeOf(due?.at ?? null) / 60_000) * 60_000;
        listed.set(key, Math.min(listed.get(key) ?? Number.POSITIVE_INFINITY, at));
      }
      const rows = await reader.rows<FindingRow>(`/findings?group_by=${grouping}&host=${id}`);
      const wrong = rows.filter(({ key, due_at }) => timeOf(due_at) !== listed.get(key));
      const what = `host ${id}: ${grouping} rows`;
      yield { what, counted: rows.length, listed: listed.size };
      const example = wrong.length === 0 ? '' : ` (such as ${wrong[0]?.key})`;
      yield { what: `${what} with another due date${example}`, counted: wrong.length, listed: 0 };
    }
  }
}

/** The hosts of advisories, in their list, on their page and in rows of findings. */
export async function* compareAdvisories(
  reader: CountReader,
  extent: CountExtent,
): AsyncGenerator<CountCheck> {
  type Row = { id: string; affected_hosts: { total: number; with_fix: number } };
  const rows = await reader.rows<Row>('/advisories?affected=true&include_hosts=true');
  const findings = new Map(
    (await reader.rows<FindingRow>('/findings')).map(({ key, hosts }) => [key, hosts]),
  );
  for (const { id, affected_hosts: counted } of spread(rows, extent.rows)) {
    const path = `/advisories/${encodeURIComponent(id)}`;
    const hosts = await reader.rows<HostOfAdvisory>(`${path}/hosts`);
    const listed = distinct(hosts.map(({ host_id: host }) => host));
    yield { what: `advisory ${id}: hosts`, counted: counted.total, listed };
    const detail = await reader.body<Row & { readonly unknown_hosts: number }>(path);
    yield { what: `page of ${id}: hosts`, counted: detail.affected_hosts.total, listed };
    const unknown = await reader.rows<HostOfAdvisory>(`${path}/unknown-hosts`);
    const unjudged = distinct(unknown.map(({ host_id: host }) => host));
    yield { what: `page of ${id}: not known`, counted: detail.unknown_hosts, listed: unjudged };
    const withFix = hosts.filter(({ packages }) =>
      packages.some((each) => each.fixed_version !== null),
    ).length;
    yield { what: `advisory ${id}: with a fix`, counted: counted.with_fix, listed: withFix };
    const unwaived = hosts.filter(({ packages }) =>
      packages.some(({ waiver }) => waiver === undefined),
    ).length;
    // Errata that other records replace are in no row of findings.
    const open = findings.get(id);
    if (open !== undefined) yield { what: `findings of ${id}: hosts`, counted: open, listed: unwaived };
  }
}

/** The four states of CVEs: on their pages, in their lists and in a lookup. `approved`: all hosts that count. */
export async function* compareCves(
  reader: CountReader,
  approved: number,
  extent: CountExtent,
): AsyncGenerator<CountCheck> {
  type Totals = Readonly<Record<(typeof cveStates)[number], number>>;
  type Page = { totals: Totals; hosts: readonly { host_id: string; state: string }[] };
  const hostsOf = ({ hosts }: Page) => hosts;
  const rows = await reader.rows<FindingRow>('/findings?group_by=cve&include_waived=true');
  for (const { key } of spread(rows, extent.rows)) {
    const { totals } = await reader.body<Page>(`/cves/${key}/hosts?limit=1`);
    const all = await reader.rows<Page['hosts'][number]>(`/cves/${key}/hosts`, hostsOf as never); // Its body is a page.
    yield {
      what: `${key}: hosts`,
      counted: approved,
      listed: distinct(all.map(({ host_id: host }) => host)),
    };
    const lookup = await reader.post<{ cves: readonly { totals: Totals }[] }>('/cves/lookup', { ids: [key] });
    const detail = await reader.body<{ affected_hosts: { total: number }; unknown_hosts: number }>(
      `/cves/${key}`,
    );
    for (const state of cveStates) {
      const listed = all.filter((host) => host.state === state).length;
      yield { what: `${key}: ${state}`, counted: totals[state], listed };
      yield { what: `lookup of ${key}: ${state}`, counted: lookup.cves[0]?.totals[state] ?? -1, listed };
      const path = `/cves/${key}/hosts?state=${state}`;
      const ofState = await reader.rows<Page['hosts'][number]>(path, hostsOf as never); // As above.
      yield { what: `GET ${path}`, counted: ofState.length, listed };
    }
    yield { what: `page of ${key}: affected`, counted: detail.affected_hosts.total, listed: totals.affected };
    yield { what: `page of ${key}: unknown`, counted: detail.unknown_hosts, listed: totals.unknown };
  }
}

/** The hosts of packages in searches, each with its list of hosts, and of hosts that a search finds. */
export async function* compareSearches(
  reader: CountReader,
  words: readonly string[],
): AsyncGenerator<CountCheck> {
  for (const q of words) {
    type Named = { name: string; hosts: number };
    const found = await reader.body<{ hosts_total: number; packages: readonly Named[] }>(`/search?q=${q}`);
    yield {
      what: `search ${q}: hosts`,
      counted: found.hosts_total,
      listed: await reader.total(`/hosts?q=${q}`),
    };
    const named = await reader.body<readonly Named[]>(`/package-names?q=${q}`);
    for (const { name, hosts } of [...found.packages, ...named]) {
      const rows = await reader.rows(`/packages?name=${encodeURIComponent(name)}`);
      yield { what: `search ${q}: hosts with ${name}`, counted: hosts, listed: rows.length };
    }
  }
}
