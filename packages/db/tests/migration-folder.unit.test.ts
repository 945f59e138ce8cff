import { migrationFolder } from '../tools/migration-folder.ts';

const now = new Date('2026-11-22T10:45:07.900Z');

it('names a migration after the time, in UTC', () => {
  expect(migrationFolder('host_notes', [], now)).toBe('20261122104507_host_notes');
});

it.each([
  [['20261122104507_a'], '20261122104508_b'],
  [['20271231235959_a', '20250101000000_c', 'migration_lock.toml'], '20280101000000_b'],
])('is later than all of %j', (existing, expected) => {
  const folder = migrationFolder('b', existing, now);
  expect(folder).toBe(expected);
  expect([...existing.filter((name) => /^\d/.test(name)), folder].sort().at(-1)).toBe(folder);
});

it.each(['', 'Host', '../evil', 'host-notes', 'host notes', '_a', 'a__b'])('refuses the name %j', (name) => {
  expect(() => migrationFolder(name, [], now)).toThrow('is no name for a migration');
});
