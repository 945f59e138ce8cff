import { createHostStore, newId, systemActor } from '@plimsoll/db';
import type { HostId } from '@plimsoll/model';
import { databasePerFile } from '@plimsoll/testing';
import { explainCommand } from '../src/commands/explain-command.ts';
import { outputOf } from './output-of.ts';

const database = databasePerFile();
const ids: HostId[] = [];

beforeAll(async () => {
  for (const displayName of ['Web 1', 'Printer', 'Printer', 'odd\u001b[2Jname']) {
    const id = newId<HostId>();
    ids.push(id);
    const host = { id, displayName, hostname: `${ids.length}.example.org`, staleAfterSeconds: 3600 };
    await createHostStore(database.db).create({ ...host, onboardingMode: 'manual' }, systemActor('test'));
  }
});

/** All output of `plimsoll explain …`. */
const run = (...args: string[]) => outputOf(explainCommand, args, { PLIMSOLL_DATABASE_URL: database.url });

it.each([
  ['its display name', () => 'web 1'],
  ['its hostname', () => '1.EXAMPLE.org'],
  ['its id', () => ids[0] ?? ''],
])('finds a host by %s, and says where nothing is known of it', async (_, name) => {
  expect(await run(name(), 'bash', 'CVE-2024-6387')).toBe(
    [
      'Unknown (not reported): The host has sent no snapshot that was matched yet.',
      `Host: Web 1 (${ids[0]})`,
      'Gap: no report processed yet',
    ].join('\n'),
  );
});

it('reports an unknown host', async () => {
  expect(await run("' OR 1=1 --", 'bash', 'CVE-2024-6387')).toBe("failed: There is no host ' OR 1=1 --.");
});

it('asks for the id if several hosts have the same name', async () => {
  const said = await run('printer', 'bash', 'CVE-2024-6387');
  expect(said).toContain('failed: Several hosts are called printer');
  for (const id of ids.slice(1, 3)) expect(said).toContain(id);
});

it('removes terminal control characters from its output', async () => {
  expect(await run(ids[3] ?? '', 'bash', 'CVE-2024-6387')).toContain('odd?[2Jname');
});
