import { taggedHosts, wholeFleet } from '@plimsoll/model';
import { databasePerFile, insertManyHosts } from '@plimsoll/testing';
import { inPgSnapshot } from '../src/core/database.ts';
import { judgeDue } from '../src/index.ts';
import { SetNumbers } from '../src/ingest/set-numbers.ts';
import { groupHosts, hostsInGroups, showHosts } from '../src/judging/affected/hosts-at-sets.ts';

const database = databasePerFile();
beforeAll(async () => {
  await insertManyHosts(database.db, 8);
  const { pool } = database.db;
  await pool.query(
    `INSERT INTO package_sets (id, digest, n, ids) SELECT n, int4send(n), 0, '' FROM generate_series(1, 2) n`,
  );
  await pool.query(`UPDATE host_state s SET set_id = 1 + right(h.display_name, 1)::int % 2 FROM hosts h
    WHERE h.id = s.host_id AND h.display_name < 'host-000006'`);
  await pool.query(`UPDATE hosts SET approval_status = 'pending' WHERE display_name = 'host-000001'`);
  await judgeDue(database.db);
});

const numbers = new SetNumbers();
numbers.set(2, 9);

/** The names of hosts by what was asked. */
async function listed(scope = wholeFleet, place: Parameters<typeof hostsInGroups>[3] = {}) {
  return inPgSnapshot(database.as('api').pool, async (tx) => {
    const question = { scope, numbers };
    const groups = await groupHosts(tx, question);
    const hosts = await hostsInGroups(tx, question, groups, place);
    const shown = await showHosts(tx, hosts);
    return shown.map(({ listed: host, group }) => [
      host.displayName,
      group.number,
      group.isUnreported,
      group.hosts,
    ]);
  });
}

it('hosts are grouped by what their sets contain, and listed by name', async () => {
  const all = [
    ['host-000002', 0, false, 2],
    ['host-000003', 9, false, 2],
    ['host-000004', 0, false, 2],
    ['host-000005', 9, false, 2],
    ['host-000006', 0, true, 3],
    ['host-000007', 0, true, 3],
    ['host-000008', 0, true, 3],
  ];
  expect(await listed()).toEqual(all);
  const after = { displayName: 'host-000003', id: '00000000-0000-0000-0000-000000000000' };
  expect(await listed(wholeFleet, { limit: 2, after })).toEqual(all.slice(1, 3));
  expect(await listed(taggedHosts(['lucky']))).toEqual([['host-000007', 0, true, 1]]);
});

it('an answer that goes on for a while is about the hosts and states of its beginning, without those that were deleted', async () => {
  const { pool } = database.db;
  const hosts = await inPgSnapshot(database.as('api').pool, async (tx) => {
    const groups = await groupHosts(tx, { scope: wholeFleet, numbers });
    const found = await hostsInGroups(tx, { scope: wholeFleet, numbers }, groups);
    await pool.query(`UPDATE hosts SET approval_status = 'approved' WHERE display_name = 'host-000001'`);
    await pool.query(`UPDATE host_state SET set_id = NULL`);
    await pool.query(`DELETE FROM hosts WHERE display_name = 'host-000004'`);
    return found;
  });
  const shown = await inPgSnapshot(database.as('api').pool, (tx) => showHosts(tx, hosts));
  expect(shown.map(({ listed: host, group }) => [host.displayName, group.number])).toEqual([
    ['host-000002', 0],
    ['host-000003', 9],
    ['host-000005', 9],
    ['host-000006', 0],
    ['host-000007', 0],
    ['host-000008', 0],
  ]);
});
