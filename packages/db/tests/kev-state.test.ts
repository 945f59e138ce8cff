import { presetPolicy } from '@plimsoll/advisories';
import { type FeedFreshness, feedFreshness, type HostId } from '@plimsoll/model';
import { databasePerFile } from '@plimsoll/testing';
import { loadDueTerms } from '../src/judging/due/host-due-terms.ts';
import { createCveStore } from '../src/knowledge/feeds/cve-store.ts';
import { isExploitationCounted, readKevState } from '../src/knowledge/kev-state.ts';
import { conditions } from '../src/outbox/conditions.ts';
import { addManualHost } from './manual-host.ts';

const database = databasePerFile();
let host: HostId;
beforeAll(async () => {
  host = await addManualHost(database.db);
});

const dayMs = 86_400_000;
const kev = (updatedAt: Date | null) =>
  database.db.pool.query(
    `INSERT INTO feeds (id, updated_at, stale_after_seconds) VALUES ('cisa-kev', $1, 86400)
     ON CONFLICT (id) DO UPDATE SET updated_at = excluded.updated_at`,
    [updatedAt],
  );

it.each<[string, number | null | undefined, FeedFreshness]>([
  ['without a row', undefined, 'never_synced'],
  ['without data', null, 'never_synced'],
  ['with data of an hour ago', 3_600_000, 'current'],
  ['a minute before its threshold', dayMs - 60_000, 'current'],
  ['a minute after its threshold', dayMs + 60_000, 'outdated'],
])(
  'CISA KEV %s is judged alike by answers, due dates, reports by mail and notifications',
  async (_what, age, wanted) => {
    const { pool } = database.db;
    const now = new Date();
    const updatedAt = age == null ? null : new Date(now.getTime() - age);
    await pool.query(`DELETE FROM feeds WHERE id = 'cisa-kev'`);
    if (age !== undefined) await kev(updatedAt);
    expect(feedFreshness({ updatedAt, staleAfterSeconds: 86_400 }, now)).toBe(wanted);
    expect(await createCveStore(database.db).kevFreshness()).toBe(wanted);
    expect(await readKevState(pool)).toEqual({ freshness: wanted, updatedAt });
    const due = await loadDueTerms(pool, [host], presetPolicy('cisa-bod-26-04'));
    expect(due?.byHost.get(host)?.terms.isCatalogOld).toBe(wanted !== 'current');
    // No host has reported, so that a catalog that was never synced is not missed yet.
    const stale = conditions.find(({ event }) => event === 'feed.stale');
    const { rows } = await pool.query<{ subject: string }>(stale?.present ?? '');
    expect(rows.map(({ subject }) => subject)).toEqual(wanted === 'outdated' ? ['cisa-kev'] : []);
  },
);

it('CISA KEV is not shown as synced until its first import is counted on all hosts', async () => {
  const { pool } = database.db;
  await kev(new Date());
  const shown = async () => [
    await createCveStore(database.as('api')).kevFreshness(),
    (await readKevState(database.as('notify-worker').pool)).freshness,
    await isExploitationCounted(database.as('scheduler').pool),
  ];
  const change = (feed: string, counted: boolean) =>
    pool.query(
      `INSERT INTO knowledge_changes (at, kind, feeds, counted) VALUES (clock_timestamp(), 'import', $1, $2)`,
      [[feed], counted],
    );
  await change('debian-osv', false);
  expect(await shown()).toEqual(['current', 'current', true]);
  await change('cisa-kev', false);
  expect(await shown()).toEqual(['never_synced', 'never_synced', false]);
  await pool.query('UPDATE knowledge_changes SET counted = true');
  expect(await shown()).toEqual(['current', 'current', true]);
  // Of a later import the numbers are those before it, as of every import.
  await change('cisa-kev', false);
  expect(await shown()).toEqual(['current', 'current', true]);
  await pool.query('DELETE FROM knowledge_changes');
  await change('cisa-kev', false);
  await pool.query(
    `INSERT INTO fleet_days (day, noted_at, totals, exploitation_known) VALUES (now(), now(), '{}', true)`,
  );
  expect(await shown()).toEqual(['current', 'current', true]);
});
