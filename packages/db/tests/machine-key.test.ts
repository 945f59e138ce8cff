import { machineKey } from '@plimsoll/model';
import { databasePerFile } from '@plimsoll/testing';

const database = databasePerFile();

it.each([
  ['b08dfa6083e7567a1921a715000001fb', 'b08dfa6083e7567a1921a715000001fb'],
  ['B08DFA60-83E7-567A-1921-A715000001FB', 'b08dfa6083e7567a1921a715000001fb'],
  ['{b08dfa60-83e7-567a-1921-a715000001fb}', 'b08dfa6083e7567a1921a715000001fb'],
  ['web-1.Example', 'web-1.example'],
  ['web1.example', 'web1.example'],
  ['---', '---'],
  ['', ''],
  ['IİÄ', 'iİÄ'],
  ['b08dfa6083e7567a1921a715000001fb0', 'b08dfa6083e7567a1921a715000001fb0'],
])('the machine id %j is compared as %j, by the database too', async (machineId, key) => {
  expect(machineKey(machineId)).toBe(key);
  const { rows } = await database.db.pool.query('SELECT machine_key($1) AS key', [machineId]);
  expect(rows).toEqual([{ key }]);
});
