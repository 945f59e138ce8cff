import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createAuditChain, createAuditStore, exportLineOf, systemActor } from '@plimsoll/db';
import { databasePerTest, folderPerFile } from '@plimsoll/testing';
import { verifyAuditCommand } from '../src/commands/verify-audit-command.ts';
import { outputOf } from './output-of.ts';

const database = databasePerTest();
const folder = folderPerFile();
let lines: string[];

beforeEach(async () => {
  for (let n = 0; n < 4; n += 1)
    await createAuditStore(database.db).note({
      action: 'user.created',
      actor: systemActor(`actor ${n}`),
      target: null,
      details: {},
    });
  const chain = createAuditChain(database.db);
  await chain.seal(10);
  lines = [];
  await chain.exportNext('file', 10, async ({ events }) => void lines.push(...events.map(exportLineOf)));
});
afterEach(() => {
  process.exitCode = undefined;
});

/** Runs the command under the role of commands; the exit code and all output. */
async function run(...args: readonly string[]): Promise<readonly [unknown, string]> {
  process.exitCode = undefined;
  const said = await outputOf(verifyAuditCommand, args, { PLIMSOLL_DATABASE_URL: database.urlOf('cli') });
  return [said.startsWith('failed: ') ? 1 : process.exitCode, said.replace('failed: ', '')];
}

async function exportFile(text: string): Promise<string> {
  const file = path.join(folder, 'audit.jsonl');
  await writeFile(file, text);
  return file;
}

const last = () => lines.at(-1) ?? '';

describe('plimsoll verify-audit', () => {
  it('says that the chain is whole, and its head, which a later run accepts', async () => {
    const [code, said] = await run();
    expect([code, said]).toEqual([
      undefined,
      expect.stringMatching(/^The chain is whole: 4 events\.\nHead: 4:[0-9a-f]{64}$/),
    ]);
    expect(await run('--head', said.split('Head: ')[1] ?? '')).toEqual([undefined, said]);
    expect((await run('--head', `4:${'0'.repeat(64)}`))[1]).toContain('rewritten');
  });

  it('names the first broken event and ends with 1', async () => {
    await database.db.pool.query('DELETE FROM audit_events WHERE position = 2');
    expect(await run()).toEqual([
      1,
      'The chain is broken at position 2: the event is gone; the next one is at position 3. 1 events before it are whole.',
    ]);
    expect(JSON.parse((await run('--json'))[1])).toMatchObject({ broken: { position: 2 }, checked: 1 });
  });

  it('compares an exported file, with repeated batches and syslog headers', async () => {
    const file = await exportFile(
      [...lines.slice(0, 3), ...lines.slice(1), `<109>1 x - \u{feff}${last()}`, ''].join('\n'),
    );
    expect((await run('--export', file))[0]).toBeUndefined();
    await database.db.pool.query(`DELETE FROM audit_events WHERE position = 4;
      UPDATE audit_chain SET head_position = 3, head_hash = (SELECT hash FROM audit_events WHERE position = 3)`);
    expect((await run())[0]).toBeUndefined();
    expect(await run('--export', file)).toEqual([
      1,
      expect.stringContaining('events up to 4 are known, and gone here'),
    ]);
  });

  it('says which events an exported file lacks, and fails if any is missing between others', async () => {
    const [first = '', , ...rest] = lines;
    expect(await run('--export', await exportFile([first, ...rest].join('\n')))).toEqual([
      1,
      expect.stringMatching(
        /\n1 events between are missing in the exported file, from position 2 on: lines were removed/,
      ),
    ]);
    const json = JSON.parse(
      (await run('--json', '--export', await exportFile([first, ...rest].join('\n'))))[1],
    );
    expect(json).toMatchObject({ broken: null, export: { first: 1, last: 4, missing: 1, firstMissing: 2 } });
    expect(await run('--export', await exportFile(lines.slice(1, 3).join('\n')))).toEqual([
      undefined,
      expect.stringMatching(/has positions 2 to 3; newer events, up to 4, were not compared\.$/),
    ]);
    expect((await run('--export', await exportFile('')))[1]).toContain('nothing was compared');
  });

  it('refuses a file that was changed itself', async () => {
    const changed = lines.map((line) => line.replace('actor 2', 'actor 9')).join('\n');
    expect(await run('--export', await exportFile(changed))).toEqual([
      1,
      expect.stringMatching(/Line 3 of .* was changed/),
    ]);
    expect((await run('--export', await exportFile('{"position":x}\n')))[1]).toContain(
      'is no exported event',
    );
  });

  it('says how many events are not in the chain yet', async () => {
    await createAuditStore(database.db).note({
      action: 'user.created',
      actor: systemActor('late'),
      target: null,
      details: {},
    });
    expect((await run())[1]).toMatch(/1 events since \S+ are not in the chain yet\. Does a scheduler run\?/);
  });
});
