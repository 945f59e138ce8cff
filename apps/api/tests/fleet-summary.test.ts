import type { FleetSummary } from '@plimsoll/contract';
import { hostStatuses } from '@plimsoll/model';
import { type CountedHost, compareFleet, createCountReader, differing } from '@plimsoll/testing';
import type { ApiUnderTest } from './api-under-test.ts';
import { type EveryKindOfHost, fleetSize, startEveryKindOfHost } from './every-kind-of-host.ts';

let api: ApiUnderTest;
let summary: FleetSummary;
let list: EveryKindOfHost['list'];

beforeAll(async () => {
  ({ api, summary, list } = await startEveryKindOfHost(new Date('2026-03-01T23:30:00.000Z')));
});
afterAll(() => api.stop());

describe('GET /fleet/summary', () => {
  it('counts what GET /hosts lists, for every number of hosts', async () => {
    const reader = createCountReader(api.url, api.admin.token);
    const hosts = await reader.body<readonly CountedHost[]>('/hosts');
    const { all, different } = await differing(compareFleet(reader, hosts));
    expect(different).toEqual([]);
    // A zero would prove nothing.
    const zeros = all.flatMap(({ what, counted }) =>
      counted === 0 ? [/^summary: (.*=.*)/.exec(what)?.[1] ?? []] : [],
    );
    expect(zeros.flat()).toEqual(['status=unreachable', 'overdue=true']);
    for (const [word, hosts] of Object.entries(summary.by_patch_rhythm))
      expect([word, (await list(`patch_rhythm=${word}`)).total]).toEqual([word, hosts]);
  });

  it('counts findings of a severity with and without a fix, and the hosts with either', async () => {
    for (const [severity, open] of Object.entries(summary.by_severity)) {
      const hosts = (await list(`open_severity=${severity}`)).total;
      expect([open.with_fix, open.hosts]).toEqual([summary.findings[severity as 'critical'], hosts]);
      expect(hosts).toBeGreaterThanOrEqual((await list(`finding_severity=${severity}`)).total);
    }
    const without = Object.values(summary.by_severity).reduce((sum, open) => sum + open.without_fix, 0);
    expect(without).toBe(summary.findings.unfixed);
  });

  it('counts pending hosts only in their own number', async () => {
    const pending = await api.admin.get('/api/v1/hosts?approval_status=pending');
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
});

describe('the order of GET /hosts', () => {
  it('by status puts the most urgent first', async () => {
    const { hosts } = await list('sort=status');
    const places = hosts.map(({ status }) => hostStatuses.indexOf(status));
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(new Set(places).size).toBeGreaterThan(1);
  });
});
