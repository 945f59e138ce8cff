import { findingGaps, type Gap, updateGaps } from '@plimsoll/model';
import {
  type CountCheck,
  type CountExtent,
  type CountReader,
  distinct,
  spread,
  withQuery,
} from './count-reader.ts';

/** The fields of a host that its counts are compared with. */
export interface CountedHost {
  readonly id: string;
  readonly approval_status: string;
  readonly retired_at: string | null;
  readonly onboarding_mode: string;
  readonly os_name: string;
  readonly os_major: number;
  readonly status: string;
  readonly coverage: string;
  readonly overall_action: string;
  readonly reboot_state: string;
  readonly restart_state: string;
  readonly updates_state: string;
  readonly repositories_state: string;
  readonly exposure: string;
  readonly gaps: readonly Gap[];
  readonly tags: readonly string[];
  readonly critical_count: number;
  readonly important_count: number;
  readonly moderate_count: number;
  readonly low_count: number;
  readonly unrated_count: number;
  readonly unfixed_count: number;
  readonly known_exploited_count: number;
  readonly waived_count: number;
  readonly unknown_count: number;
  readonly overdue_count: number;
  readonly available_updates: number;
  readonly phased_updates: number;
  readonly disagreement_count: number;
  readonly broken_count: number;
  readonly needs_restart: number;
}

/** Numbers by word. */
type By = Readonly<Record<string, number>>;

interface Summary {
  readonly hosts: number;
  readonly pending_approvals: number;
  readonly findings: By;
  readonly hosts_with: By;
  readonly available_updates: number;
  readonly disagreements: number;
  readonly unknown_packages: number;
  readonly findings_unknown_hosts: number;
  readonly updates_unknown_hosts: number;
  readonly by_gap: By;
  readonly by_patch_rhythm: By;
  readonly by_severity: Readonly<Record<string, { readonly without_fix: number; readonly hosts: number }>>;
  readonly clear: { readonly known: number; readonly as_far_as_known: number };
  readonly by_os: readonly { readonly os_name: string; readonly os_major: number; readonly hosts: number }[];
  readonly overdue: {
    readonly hosts: number;
    readonly findings: number;
    readonly by_tag: readonly { readonly tag: string; readonly hosts: number; readonly findings: number }[];
    readonly tags: number;
  };
}

type Test = (host: CountedHost) => boolean;

const severities = ['critical', 'important', 'moderate', 'low', 'unrated'] as const;
const withFix = (host: CountedHost) => severities.reduce((sum, word) => sum + host[`${word}_count`], 0);
/** Fields of hosts that are filters of the same name and numbers `by_…` of the summary. */
const words = [
  'status',
  'coverage',
  'onboarding_mode',
  'reboot_state',
  'restart_state',
  'updates_state',
  'repositories_state',
] as const satisfies readonly (keyof CountedHost)[];

/** The numbers of the fleet's page, each with the list of hosts that it links to, and the fields of all hosts. */
export async function* compareFleet(
  reader: CountReader,
  hosts: readonly CountedHost[],
): AsyncGenerator<CountCheck> {
  const summary = await reader.body<Summary & Readonly<Record<`by_${string}`, By>>>('/fleet/summary');
  const approved = hosts.filter((host) => host.approval_status === 'approved');
  const pending = hosts.filter((host) => host.approval_status === 'pending');
  yield { what: 'summary: pending', counted: summary.pending_approvals, listed: pending.length };
  const filters: (readonly [filter: string, counted: number, test: Test])[] = [
    ['', summary.hosts, () => true],
    ...words.flatMap((field) =>
      Object.entries(summary[`by_${field}`] ?? {}).map(([word, counted]): [string, number, Test] => [
        `${field}=${word}`,
        counted,
        (host) => host[field] === word,
      ]),
    ),
    ...Object.entries(summary['by_action'] ?? {}).map(([word, counted]): [string, number, Test] => [
      `overall_action=${word}`,
      counted,
      (host) => host.overall_action === word,
    ]),
    ...Object.entries(summary.by_gap).map(([gap, counted]): [string, number, Test] => [
      `gap=${gap}`,
      counted,
      (host) => host.gaps.some((each) => each === gap),
    ]),
    ...summary.by_os.map(({ os_name, os_major, hosts: counted }): [string, number, Test] => [
      `os_name=${os_name}&os_major=${os_major}`,
      counted,
      (host) => host.os_name === os_name && host.os_major === os_major,
    ]),
    ...severities.map((word): [string, number, Test] => [
      `finding_severity=${word}`,
      summary.hosts_with[word] ?? -1,
      (host) => host[`${word}_count`] > 0,
    ]),
    ['has_findings=true', summary.hosts_with['findings'] ?? -1, (host) => withFix(host) > 0],
    ['unfixed=true', summary.hosts_with['unfixed'] ?? -1, (host) => host.unfixed_count > 0],
    [
      'known_exploited=true',
      summary.hosts_with['known_exploited'] ?? -1,
      (host) => host.known_exploited_count > 0,
    ],
    ['has_updates=true', summary.hosts_with['updates'] ?? -1, (host) => host.available_updates > 0],
    [
      'has_disagreements=true',
      summary.hosts_with['disagreements'] ?? -1,
      (host) => host.disagreement_count > 0,
    ],
    [
      'has_broken_packages=true',
      summary.hosts_with['broken_packages'] ?? -1,
      (host) => host.broken_count > 0,
    ],
    ['findings_known=false', summary.findings_unknown_hosts, (host) => hasGap(host, findingGaps)],
    ['updates_known=false', summary.updates_unknown_hosts, (host) => hasGap(host, updateGaps)],
    ...(['known', 'as_far_as_known'] as const).map((word): [string, number, Test] => [
      `overall_action=none&overall_known=${word === 'known'}`,
      summary.clear[word],
      (host) => host.overall_action === 'none' && (host.gaps.length === 0) === (word === 'known'),
    ]),
    ['overdue=true', summary.overdue.hosts, (host) => host.overdue_count > 0],
    ...summary.overdue.by_tag.map(({ tag, hosts: counted }): [string, number, Test] => [
      `overdue=true&tag=${encodeURIComponent(tag)}`,
      counted,
      (host) => host.overdue_count > 0 && host.tags.includes(tag),
    ]),
  ];
  for (const [filter, counted, test] of filters) {
    const listed = approved.filter(test).length;
    const path = withQuery('/hosts?approval_status=approved', filter);
    yield { what: `summary: ${filter}`, counted, listed };
    yield { what: `total of GET ${path}`, counted: await reader.total(path), listed };
    const ids = await reader.body<readonly string[]>(path.replace('/hosts', '/hosts/ids'));
    yield { what: `GET ${path}`, counted: distinct(ids), listed };
  }
  const sum = (field: `${string}_count` & keyof CountedHost, among = approved) =>
    among.reduce((total, host) => total + host[field], 0);
  for (const [word, counted] of Object.entries(summary.findings))
    yield { what: `summary: findings ${word}`, counted, listed: sum(`${word}_count` as 'low_count') };
  for (const { tag, findings } of summary.overdue.by_tag)
    yield {
      what: `summary: overdue findings of tag ${tag}`,
      counted: findings,
      listed: sum(
        'overdue_count',
        approved.filter((host) => host.tags.includes(tag)),
      ),
    };
  const overdueTags = approved.flatMap(({ overdue_count, tags }) => (overdue_count > 0 ? tags : []));
  yield {
    what: 'summary: tags of overdue hosts',
    counted: summary.overdue.tags,
    listed: distinct(overdueTags),
  };
  yield {
    what: 'summary: overdue findings',
    counted: summary.overdue.findings,
    listed: sum('overdue_count'),
  };
  yield { what: 'summary: disagreements', counted: summary.disagreements, listed: sum('disagreement_count') };
  yield {
    what: 'summary: unknown packages',
    counted: summary.unknown_packages,
    listed: sum('unknown_count'),
  };
  yield {
    what: 'summary: updates',
    counted: summary.available_updates,
    listed: approved.reduce((total, host) => total + host.available_updates, 0),
  };
}

/** The rhythms of hosts: their numbers, the lists of each state, and the state that each host has by itself. */
export async function* compareRhythms(
  reader: CountReader,
  hosts: readonly CountedHost[],
  extent: CountExtent,
): AsyncGenerator<CountCheck> {
  const { by_patch_rhythm } = await reader.body<Summary>('/fleet/summary');
  const approved = hosts.filter((host) => host.approval_status === 'approved');
  const stateOf = new Map<string, string>();
  for (const [state, counted] of Object.entries(by_patch_rhythm)) {
    const path = `/hosts?approval_status=approved&patch_rhythm=${state}`;
    const ids = await reader.body<readonly string[]>(path.replace('/hosts', '/hosts/ids'));
    for (const id of ids) stateOf.set(id, state);
    yield { what: `summary: patch_rhythm=${state}`, counted, listed: distinct(ids) };
    yield { what: `total of GET ${path}`, counted: await reader.total(path), listed: distinct(ids) };
  }
  yield { what: 'hosts with a rhythm in the lists', counted: stateOf.size, listed: approved.length };
  for (const { id } of spread(approved, extent.hosts)) {
    const { patch_rhythm } = await reader.body<{ patch_rhythm: { state: string } }>(`/hosts/${id}`);
    const what = `host ${id}: patch_rhythm ${patch_rhythm.state}`;
    yield { what, counted: stateOf.get(id) === patch_rhythm.state ? 1 : 0, listed: 1 };
  }
}

/** The numbers of tags and of saved groups, each with the hosts that it links to. */
export async function* compareSelections(
  reader: CountReader,
  hosts: readonly CountedHost[],
): AsyncGenerator<CountCheck> {
  const approved = hosts.filter((host) => host.approval_status === 'approved');
  const tags = await reader.body<readonly { tag: string; hosts: number }[]>('/tags?limit=200');
  for (const { tag, hosts: counted } of tags) {
    yield { what: `tag ${tag}`, counted, listed: approved.filter((host) => host.tags.includes(tag)).length };
    const listed = await reader.total(`/hosts?approval_status=approved&tag=${encodeURIComponent(tag)}`);
    yield { what: `total of GET /hosts?tag=${tag}`, counted, listed };
  }
  const byId = new Map(hosts.map((host) => [host.id, host]));
  type Group = Readonly<Record<string, number>> & {
    readonly name: string;
    readonly filter: Record<string, string>;
  };
  for (const group of await reader.body<readonly Group[]>('/groups')) {
    const path = `/hosts/ids?${new URLSearchParams(group.filter)}`;
    const ids = await reader.body<readonly string[]>(path);
    const selected = ids.flatMap((id) => byId.get(id) ?? []);
    const asks = 'approval_status' in group.filter || group.filter['retired'] === 'true';
    const members = asks ? selected : selected.filter((host) => host.approval_status === 'approved');
    const tests: Readonly<Record<string, Test>> = {
      hosts: () => true,
      critical_hosts: (host) => host.critical_count > 0,
      known_exploited_hosts: (host) => host.known_exploited_count > 0,
      reboot_hosts: (host) => host.reboot_state === 'needed',
      stale_hosts: (host) => host.gaps.includes('report_outdated'),
      unreported_hosts: (host) => host.gaps.includes('no_report'),
      findings_unknown_hosts: (host) => hasGap(host, findingGaps),
      reboot_unknown_hosts: (host) => host.reboot_state === 'unknown',
    };
    for (const [field, test] of Object.entries(tests))
      yield {
        what: `group ${group.name}: ${field}`,
        counted: group[field] ?? -1,
        listed: members.filter(test).length,
      };
  }
}

interface Listed {
  readonly phased?: boolean;
  readonly name: string;
  readonly architecture: string;
  readonly severity: string;
  readonly known_exploited: boolean;
  readonly due_at: string | null;
  readonly waiver?: object;
  readonly advisories: readonly { readonly fix_state: string }[];
}

/** The numbers of hosts, each with the list of the host that it counts. */
export async function* compareHosts(
  reader: CountReader,
  hosts: readonly CountedHost[],
  extent: CountExtent,
): AsyncGenerator<CountCheck> {
  for (const host of spread(hosts, extent.hosts)) {
    const list = <Row = Listed>(path: string) => reader.body<readonly Row[]>(`/hosts/${host.id}/${path}`);
    const fixable = await list('packages/vulnerable');
    const all = await list('packages/vulnerable?include_unfixed=true');
    const waived = await list('packages/vulnerable?include_unfixed=true&include_waived=true');
    const installed = await reader.rows<{ verdict: string }>(`/hosts/${host.id}/packages`);
    const posture = await reader.body<{ services_to_restart: readonly object[] }>(
      `/hosts/${host.id}/kernel-posture`,
    );
    const now = new Date().toISOString();
    const of = (what: string, counted: number, listed: number): CountCheck => ({
      what: `host ${host.id}: ${what}`,
      counted,
      listed,
    });
    for (const word of severities)
      yield of(word, host[`${word}_count`], fixable.filter(({ severity }) => severity === word).length);
    // What the vendor has not decided about is in no count.
    const undecided = all.filter(({ advisories }) =>
      advisories.every((each) => each.fix_state === 'under_investigation'),
    ).length;
    yield of('unfixed', host.unfixed_count, all.length - fixable.length - undecided);
    yield of('exploited', host.known_exploited_count, all.filter((row) => row.known_exploited).length);
    yield of('waived', host.waived_count, waived.filter(({ waiver }) => waiver !== undefined).length);
    yield of(
      'overdue',
      host.overdue_count,
      all.filter(({ due_at }) => due_at !== null && due_at <= now).length,
    );
    const updates = await list('packages/upgradable');
    yield of('updates', host.available_updates, updates.filter(({ phased }) => phased !== true).length);
    yield of('phased', host.phased_updates, updates.filter(({ phased }) => phased === true).length);
    yield of('disagreements', host.disagreement_count, (await list('disagreements')).length);
    yield of('unknown', host.unknown_count, installed.filter(({ verdict }) => verdict === 'unknown').length);
    yield of('restarts', host.needs_restart, posture.services_to_restart.length);
  }
}

function hasGap(host: CountedHost, some: readonly Gap[]): boolean {
  return host.gaps.some((gap) => some.includes(gap));
}
