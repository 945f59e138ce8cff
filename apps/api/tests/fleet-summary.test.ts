import type { FleetSummary, Host } from '@plimsoll/contract';
import {
  coverages,
  dueStates,
  findingGaps,
  gaps,
  hostStatuses,
  onboardingModes,
  overallActions,
  patchRhythmStates,
  repositoriesStates,
  updateGaps,
  updatesStates,
} from '@plimsoll/model';
import type { ApiUnderTest } from './api-under-test.ts';
import { type EveryKindOfHost, fleetSize, startEveryKindOfHost } from './every-kind-of-host.ts';

let api: ApiUnderTest;
let token: string;
let summary: FleetSummary;
let list: EveryKindOfHost['list'];

beforeAll(async () => {
  ({ api, token, summary, list } = await startEveryKindOfHost(new Date('2026-03-01T23:30:00.000Z')));
});
afterAll(() => api.stop());

describe('GET /fleet/summary', () => {
  it('counts what GET /hosts lists, for every number of hosts', async () => {
    const queries: [string, number][] = [
      ['', summary.hosts],
      ...overallActions.map((word): [string, number] => [`overall_action=${word}`, summary.by_action[word]]),
      ...hostStatuses.map((word): [string, number] => [`status=${word}`, summary.by_status[word]]),
      ...coverages.map((word): [string, number] => [`coverage=${word}`, summary.by_coverage[word]]),
      ...onboardingModes.map((word): [string, number] => [
        `onboarding_mode=${word}`,
        summary.by_onboarding_mode[word],
      ]),
      ...dueStates.map((word): [string, number] => [`reboot_state=${word}`, summary.by_reboot_state[word]]),
      ...dueStates.map((word): [string, number] => [`restart_state=${word}`, summary.by_restart_state[word]]),
      ...updatesStates.map((word): [string, number] => [
        `updates_state=${word}`,
        summary.by_updates_state[word],
      ]),
      ...repositoriesStates.map((word): [string, number] => [
        `repositories_state=${word}`,
        summary.by_repositories_state[word],
      ]),
      ...patchRhythmStates.map((word): [string, number] => [
        `patch_rhythm=${word}`,
        summary.by_patch_rhythm[word],
      ]),
      ...gaps.map((word): [string, number] => [`gap=${word}`, summary.by_gap[word]]),
      ['findings_known=false', summary.findings_unknown_hosts],
      ['updates_known=false', summary.updates_unknown_hosts],
      ...summary.by_os.map((os): [string, number] => [
        `os_name=${os.os_name}&os_major=${os.os_major}`,
        os.hosts,
      ]),
      ...(['critical', 'important', 'moderate', 'low', 'unrated'] as const).map((word): [string, number] => [
        `finding_severity=${word}`,
        summary.hosts_with[word],
      ]),
      ['has_findings=true', summary.hosts_with.findings],
      ['unfixed=true', summary.hosts_with.unfixed],
      ['known_exploited=true', summary.hosts_with.known_exploited],
      ['has_updates=true', summary.hosts_with.updates],
      ['has_disagreements=true', summary.hosts_with.disagreements],
    ];
    // One after the other: a user has few requests at a time.
    for (const [query, n] of queries) expect([query, (await list(query)).total]).toEqual([query, n]);
    // A zero would prove nothing.
    expect(queries.filter(([, n]) => n === 0).map(([query]) => query)).toEqual(['status=unreachable']);
  });

  it('sums the columns of the listed hosts', async () => {
    const { hosts } = await list('');
    const sum = (column: keyof Host) => hosts.reduce((n, host) => n + Number(host[column]), 0);
    expect(summary.findings).toEqual({
      critical: sum('critical_count'),
      important: sum('important_count'),
      moderate: sum('moderate_count'),
      low: sum('low_count'),
      unrated: sum('unrated_count'),
      unfixed: sum('unfixed_count'),
      known_exploited: sum('known_exploited_count'),
      waived: 0,
    });
    expect(summary.available_updates).toBe(sum('available_updates'));
    expect(summary.disagreements).toBe(sum('disagreement_count'));
    expect(summary.unknown_packages).toBe(sum('unknown_count'));
    expect(summary.findings.known_exploited).toBeGreaterThan(0);
  });

  it('counts pending hosts only in their own number', async () => {
    const pending = await api.get('/api/v1/hosts?approval_status=pending', { token });
    expect(summary.pending_approvals).toBe(pending.body.length);
    expect(summary.hosts + summary.pending_approvals).toBe(fleetSize);
    for (const by of [summary.by_action, summary.by_status, summary.by_coverage, summary.by_reboot_state]) {
      expect(Object.values(by).reduce((a, b) => a + b, 0)).toBe(summary.hosts);
    }
    expect(summary.by_os.reduce((n, { hosts }) => n + hosts, 0)).toBe(summary.hosts);
  });

  it('names only the feeds that cover approved hosts, the oldest first', () => {
    expect(summary.feeds.in_use.map(({ id }) => id)).toEqual(['never', 'old', 'fresh']);
    expect(summary.feeds.oldest_updated_at).toBeNull();
    expect(summary.feeds.by_state).toEqual({ never_synced: 1, ok: 1, failed: 1 });
    expect(summary.feeds.by_freshness).toEqual({ never_synced: 1, current: 1, outdated: 1 });
    expect(summary.feeds.in_use.map(({ freshness }) => freshness)).toEqual([
      'never_synced',
      'outdated',
      'current',
    ]);
  });

  it('says how many hosts its zeros do not cover', async () => {
    const { hosts } = await list('');
    const withAny = (some: readonly string[]) =>
      hosts.filter((host) => host.gaps.some((gap) => some.includes(gap))).length;
    expect(summary.findings_unknown_hosts).toBe(withAny(findingGaps));
    expect(summary.updates_unknown_hosts).toBe(withAny(updateGaps));
    expect(summary.findings_unknown_hosts).toBeGreaterThan(0);
  });

  it('is for users only', async () => {
    expect((await api.get('/api/v1/fleet/summary')).status).toBe(401);
    expect((await api.get('/api/v1/fleet/trend')).status).toBe(401);
  });
});

describe('the order of GET /hosts', () => {
  it.each([
    'status',
    '-status',
    'os_major',
    '-disagreement_count',
    'waived_count',
    '-overall_action',
    'due_at',
    'reported_at',
  ])('by %s goes through all hosts once, page by page', async (sort) => {
    const whole = await list(`sort=${sort}`);
    const seen: string[] = [];
    let path = `/api/v1/hosts?approval_status=approved&sort=${sort}&limit=7`;
    for (let page = 0; page < 20 && path !== ''; page++) {
      const answer = await api.get(path, { token });
      seen.push(...answer.body.map(({ id }: Host) => id));
      path = (/^<([^>]+)>/.exec(answer.headers['link'] ?? '')?.[1] ?? '').replace(api.url, '');
    }
    expect(seen).toEqual(whole.hosts.map(({ id }) => id));
  });

  it('by status puts the most urgent first', async () => {
    const { hosts } = await list('sort=status');
    const places = hosts.map(({ status }) => hostStatuses.indexOf(status));
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(new Set(places).size).toBeGreaterThan(1);
  });
});
