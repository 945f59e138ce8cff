import {
  approvalStatuses,
  bitsOfGaps,
  coverages,
  dueStates,
  findingGaps,
  type Gap,
  gaps,
  type HostScope,
  hostExposures,
  hostStatuses,
  isInScope,
  onboardingModes,
  overallActions,
  patchRhythmState,
  patchRhythmStates,
  repositoriesStates,
  severities,
  taggedHosts,
  updateGaps,
  updatesStates,
  wholeFleet,
} from '@plimsoll/model';
import { databasePerFile, insertManyHosts, waitFor } from '@plimsoll/testing';
import {
  createFleetStore,
  createHostStore,
  cursorOf,
  type HostFilters,
  type HostSort,
  type HostStore,
  hostSortColumns,
  type ListedOverview,
  sortsByTime,
} from '../src/index.ts';

const hosts = 400;
const database = databasePerFile();
let store: HostStore;
beforeAll(async () => {
  const { pool } = database.db;
  await insertManyHosts(database.db, hosts);
  await pool.query(`INSERT INTO releases (id, name, feed_id, covered) VALUES (901, 'made:old', NULL, false)`);
  await pool.query(`UPDATE hosts h SET
      display_name = (ARRAY['Web', 'ÄPFEL', 'ΟΔΟΣ', 'İstanbul', 'web-1', '日本', 'z_%'])[1 + n % 7] || CASE WHEN n % 3 = 0 THEN '' ELSE n % 20 || '' END,
      hostname = (ARRAY['a', 'B', 'straße', 'ΟΔΟΣ'])[1 + n % 4] || n % 30, ip_address = CASE WHEN n % 5 > 0 THEN '10.0.0.' || n % 9 END,
      tags = (ARRAY['{}', '{a}', '{a,b}', '{B}', '{c,a}'])[1 + n % 5]::text[],
      set_exposure = (ARRAY[NULL, 'internet', 'internal'])[1 + n % 3],
      approval_status = (ARRAY['approved', 'approved', 'approved', 'pending', 'retired'])[1 + n % 5],
      retired_at = CASE WHEN n % 5 = 4 THEN now() END,
      created_at = now() - n % 50 * interval '1 hour',
      machine_id_conflict_with = CASE WHEN n % 17 = 0 THEN (SELECT id FROM hosts WHERE display_name = 'host-000003') END
    FROM (SELECT id, row_number() OVER (ORDER BY display_name) AS n FROM hosts) k WHERE k.id = h.id`);
  await pool.query(`UPDATE host_contacts c SET last_confirmed_at = CASE WHEN n % 7 > 0 THEN now() - n % 40 * interval '1 day' END,
      collected_at = CASE WHEN n % 3 > 0 THEN now() - n % 60 * interval '1 day' END, lists_at = CASE WHEN n % 4 > 0 THEN now() - n % 30 * interval '1 day' END,
      repositories_state = (ARRAY['current', 'outdated', 'unknown'])[1 + n % 3], repositories_valid_until = CASE WHEN n % 6 = 0 THEN now() - interval '1 day' END
    FROM (SELECT id, row_number() OVER (ORDER BY id) AS n FROM hosts) k WHERE k.id = c.host_id`);
  await pool.query(`UPDATE host_state s SET is_manual = n % 3 = 0, release_id = CASE WHEN n % 9 = 0 THEN NULL WHEN n % 4 = 0 THEN 901 ELSE release_id END,
      snapshot_id = CASE WHEN n % 11 > 0 THEN snapshot_id END, snapshot_collected_at = now() - n % 10 * interval '1 day',
      due_at = CASE WHEN n % 3 = 0 THEN now() + n % 20 * interval '1 hour' END, overdue = n % 4, waived = n % 3, unrated = n % 5 / 4,
      disagreements = n % 6 / 5, services_due = n % 3, unknown = n % 8 / 7, os_name = CASE WHEN n % 13 = 0 THEN '' ELSE os_name END,
      restart_state = (ARRAY['needed', 'not_needed', 'unknown'])[1 + n % 3], updates_known = n % 5 > 0
    FROM (SELECT id, row_number() OVER (ORDER BY id) AS n FROM hosts) k WHERE k.id = s.host_id`);
  await pool.query(`BEGIN; SET LOCAL session_replication_role = replica;
    INSERT INTO snapshots (id, host_id, sequence, received_at, collected_at, source, facts, set_id, release_id, schema_version, collector_version, payload_sha256, payload_size)
    SELECT s.snapshot_id, s.host_id, 1, now(), s.snapshot_collected_at, CASE WHEN s.is_manual THEN 'manual' ELSE 'agent' END, '{}', 1, 900, 1, '', '', 0 FROM host_state s WHERE s.snapshot_id IS NOT NULL;
    UPDATE host_state SET is_manual = false, snapshot_collected_at = NULL WHERE snapshot_id IS NULL; COMMIT`);
  await pool.query(`INSERT INTO patch_rhythms (host_id, overdue_at, due) SELECT id, now() + (n % 5 - 2) * interval '1 day', false
    FROM (SELECT id, row_number() OVER (ORDER BY id) AS n FROM hosts) k WHERE n % 3 > 0`);
  store = createHostStore(database.as('api'));
});

const scopes: readonly HostScope[] = [
  wholeFleet,
  taggedHosts(['a']),
  taggedHosts(['b', 'B']),
  taggedHosts([]),
];
const each = <K extends keyof HostFilters>(name: K, values: readonly unknown[]) =>
  values.map((value) => ({ [name]: value }) as HostFilters);
const filterings: readonly HostFilters[] = [
  {},
  ...each('retired', [true]),
  ...each('q', [
    'web',
    'WEB-1',
    'äpfel',
    'Straße',
    'STRASSE',
    'οδος',
    'ΟΔΟΣ',
    'i̇st',
    'IST',
    '日',
    '10.0.0.3',
    '%',
    '_',
    '\\',
    'é',
    'a\u001fb',
    '',
  ]),
  ...each('tag', ['a', 'A', 'none']),
  ...each('osFamily', ['apt', 'unknown']),
  ...each('status', hostStatuses),
  ...each('approvalStatus', approvalStatuses),
  ...each('onboardingMode', onboardingModes),
  ...each('severityAtLeast', severities.slice(0, 5)),
  ...each('findingSeverity', severities.slice(0, 5)),
  ...(
    [
      'hasFindings',
      'unfixed',
      'knownExploited',
      'needsReboot',
      'hasUpdates',
      'hasDisagreements',
      'hasBrokenPackages',
      'findingsKnown',
      'updatesKnown',
      'overdue',
      'machineIdConflict',
    ] as const
  ).flatMap((name) => each(name, [true, false])),
  ...each('osName', ['debian', '', 'x\0y']),
  ...each('osMajor', [9, 0]),
  ...each('rebootState', dueStates),
  ...each('restartState', dueStates),
  ...each('updatesState', updatesStates),
  ...each('overallAction', overallActions),
  ...each('coverage', coverages),
  ...each('gap', gaps),
  ...each('repositoriesState', repositoriesStates),
  ...each('exposure', hostExposures),
  ...each('patchRhythm', patchRhythmStates),
  { status: 'stale', and: { status: 'active' } },
  { tag: 'a', and: { tag: 'b', q: 'web' } },
  { hasUpdates: true, needsReboot: false, q: 'a' },
];

const wordsOf = {
  osFamily: 'osFamily',
  status: 'status',
  approvalStatus: 'approvalStatus',
  onboardingMode: 'onboardingMode',
  osName: 'osName',
  osMajor: 'osMajor',
  rebootState: 'rebootState',
  restartState: 'restartState',
  updatesState: 'updatesState',
  overallAction: 'overallAction',
  coverage: 'coverage',
  repositoriesState: 'repositoriesState',
  exposure: 'exposure',
} as const;

/** The filters once more, on what is listed of a host. */
function passes(host: ListedOverview, filter: HostFilters, overdueAt: Date | null): boolean {
  const counted = severities.slice(0, 5) as ('critical' | 'important' | 'moderate' | 'low' | 'unrated')[];
  const hasGap = (some: readonly Gap[]) => (host.gaps & bitsOfGaps(some)) !== 0;
  const facts: Partial<Record<keyof HostFilters, unknown>> = {
    hasFindings: counted.some((severity) => host[severity] > 0),
    unfixed: host.unfixed > 0,
    knownExploited: host.knownExploited > 0,
    needsReboot: host.rebootState === 'needed',
    hasUpdates: host.availableUpdates > 0,
    hasDisagreements: host.disagreements > 0,
    hasBrokenPackages: host.brokenPackages > 0,
    findingsKnown: !hasGap(findingGaps),
    updatesKnown: !hasGap(updateGaps),
    overdue: host.overdue > 0,
    machineIdConflict: host.machineIdConflictWith !== null,
    patchRhythm: patchRhythmState(overdueAt?.getTime() ?? null, host, Date.now()),
    ...Object.fromEntries(Object.entries(wordsOf).map(([name, property]) => [name, host[property]])),
  };
  const { q, tag, gap, severityAtLeast, findingSeverity, and } = filter;
  const texts = [host.displayName, host.hostname, host.ipAddress ?? ''].map((text) => text.toLowerCase());
  return (
    Object.entries(facts).every(
      ([name, is]) =>
        filter[name as keyof HostFilters] === undefined || filter[name as keyof HostFilters] === is,
    ) &&
    (q === undefined || texts.some((text) => text.includes(q.toLowerCase()))) &&
    (tag === undefined || host.tags.includes(tag)) &&
    (gap === undefined || hasGap([gap])) &&
    (findingSeverity === undefined || host[findingSeverity] > 0) &&
    (severityAtLeast === undefined ||
      counted.slice(0, counted.indexOf(severityAtLeast) + 1).some((severity) => host[severity] > 0)) &&
    (and === undefined || passes(host, and, overdueAt))
  );
}

/** What an order compares. */
function keyOf(host: ListedOverview, { column }: HostSort): string | number {
  const { value } = cursorOf(host, { column, descending: false });
  return typeof value === 'string' && sortsByTime(column) ? Date.parse(value) : value;
}

function sorted(hosts: readonly ListedOverview[], sort: HostSort): readonly ListedOverview[] {
  const order = [...hosts].sort((a, b) => {
    const [x, y] = [keyOf(a, sort), keyOf(b, sort)];
    return x === y ? (a.id < b.id ? -1 : 1) : x < y ? -1 : 1;
  });
  return sort.descending ? order.reverse() : order;
}

const everything = async (scope: HostScope, filter: HostFilters) =>
  (
    await store.list({
      scope,
      filters: filter,
      sort: { column: 'hostname', descending: false },
      limit: hosts,
      after: null,
    })
  ).hosts;

describe('lists of hosts', () => {
  it('have the hosts that pass every filter, in every order, by page and by cursor', async () => {
    const { rows } = await database.db.pool.query<{ id: string; at: Date }>(
      'SELECT host_id AS id, overdue_at AS at FROM patch_rhythms',
    );
    const overdueAt = new Map(rows.map(({ id, at }) => [id, at]));
    let turn = 0;
    for (const scope of scopes) {
      const all = { false: await everything(scope, {}), true: await everything(scope, { retired: true }) };
      expect([...all.false, ...all.true].every(({ tags }) => isInScope(scope, tags))).toBe(true);
      const seen = new Set<string | null>([null, ...[...all.false, ...all.true].map(({ id }) => id)]);
      expect(all.false.every(({ machineIdConflictWith }) => seen.has(machineIdConflictWith))).toBe(true);
      for (const filters of scope === wholeFleet ? filterings : filterings.slice(0, 24)) {
        const wanted = all[`${filters.retired === true}`].filter((host) =>
          passes(host, filters, overdueAt.get(host.id) ?? null),
        );
        // Each filter with some of the orders, and the other way round.
        for (let n = 0; n < 3; n += 1) {
          turn += 1;
          const sort: HostSort = {
            column: hostSortColumns[turn % hostSortColumns.length] ?? 'hostname',
            descending: turn % 2 === 0,
          };
          const expected = sorted(wanted, sort);
          const [offset, at] = [turn % 4, turn % 3 === 0 ? null : turn % 9];
          const behind = at === null ? undefined : expected[at];
          const after = behind === undefined ? null : cursorOf(behind, sort);
          const found = await store.list({ scope, filters, sort, limit: 7, after, offset });
          const first = offset + (behind === undefined || at === null ? 0 : at + 1);
          const where = JSON.stringify({ scope, filters, sort, after, offset });
          expect({ where, ...found }).toEqual({
            where,
            total: wanted.length,
            hosts: expected.slice(first, first + 7),
          });
        }
      }
    }
  });

  it('sort actions by urgency, not by the alphabet', async () => {
    const sort: HostSort = { column: 'overallAction', descending: false };
    const query = { scope: wholeFleet, filters: {}, sort, limit: hosts, after: null };
    const places = (await store.list(query)).hosts.map((host) => overallActions.indexOf(host.overallAction));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(new Set(places).size).toBeGreaterThan(2);
  });

  it('are ids and streams of the same hosts', async () => {
    const filters = { tag: 'a' };
    const sort: HostSort = { column: 'displayName', descending: false };
    const { total, hosts: listed } = await store.list({
      scope: wholeFleet,
      filters,
      sort,
      limit: hosts,
      after: null,
    });
    const { total: streamed, pages } = await store.stream(wholeFleet, filters, sort);
    const all: ListedOverview[] = [];
    for await (const page of pages) all.push(...page);
    expect([streamed, all]).toEqual([total, listed]);
    const few = await store.select(wholeFleet, filters, 3);
    expect(few).toEqual({ total, ids: listed.slice(0, 3).map(({ id }) => id) });
    expect(await store.find(wholeFleet, listed[0]?.id ?? '')).toMatchObject(listed[0] ?? {});
    expect(await store.tags(wholeFleet, 'b', 5)).toEqual([
      { tag: 'b', hosts: (await everything(wholeFleet, { tag: 'b', approvalStatus: 'approved' })).length },
      // Only hosts that wait for approval have it.
      { tag: 'B', hosts: 0 },
    ]);
  });

  it('show no judgement that has ended, though no scheduler runs', async () => {
    const { pool } = database.db;
    const fleet = createFleetStore(database.as('api'));
    expect((await fleet.summarise(wholeFleet)).totals.byStatus.active).toBeGreaterThan(0);
    // A day passes.
    await pool.query(`BEGIN; SET LOCAL session_replication_role = replica;
      UPDATE host_contacts SET last_confirmed_at = last_confirmed_at - interval '20 days', collected_at = collected_at - interval '20 days';
      UPDATE host_state SET judged_until = judged_until - interval '20 days'; COMMIT`);
    // What is locked by another transaction is waited for.
    const other = await pool.connect();
    try {
      await other.query('BEGIN');
      await other.query('SELECT FROM host_state LIMIT 1 FOR UPDATE');
      const waiting = store.list({
        scope: wholeFleet,
        filters: { status: 'active' },
        sort: { column: 'hostname', descending: false },
        limit: 1,
        after: null,
      });
      await waitFor(
        'the list waits',
        async () =>
          ((
            await pool.query(
              `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`,
            )
          ).rowCount ?? 0) > 0,
      );
      await other.query('COMMIT');
      const reported =
        await pool.query(`SELECT FROM hosts h JOIN host_state s ON s.host_id = h.id JOIN host_contacts c ON c.host_id = h.id
        WHERE h.approval_status <> 'retired' AND s.snapshot_id IS NOT NULL AND c.last_confirmed_at IS NULL`);
      expect(await waiting).toMatchObject({ total: reported.rowCount });
      expect((await fleet.summarise(wholeFleet)).totals.byStatus.stale).toBeGreaterThan(100);
    } finally {
      other.release();
    }
  });
});
