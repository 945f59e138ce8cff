import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { readConfig } from '@plimsoll/config';
import { createImportStore, type ImportRow, type ImportStore, newId, openDatabase } from '@plimsoll/db';
import type { ImportId } from '@plimsoll/model';
import cliProgress from 'cli-progress';
import { Command } from 'commander';
import { findDatabaseUrl } from '../service/running-database.ts';
import { StartError } from '../service/start-error.ts';
import { type CommandContext, type ConfigFlags, configOption } from './command-context.ts';

const chunkBytes = 1024 * 1024;
const pollMs = 200;

interface ImportFlags extends ConfigFlags {
  readonly complete?: boolean;
}

/** `plimsoll feed import FILE`: gives a feed's file to the running service and waits until its hosts are matched. */
export function feedCommand({ env, projectDir, say }: CommandContext): Command {
  const importFile = new Command('import')
    .description('import advisories from a zip, JSON or JSON Lines file of OSV records, gzip or not')
    .argument('<file>', 'the file')
    .option('--complete', 'the file is the whole feed: what it lacks is removed')
    .addOption(configOption())
    .action(async (file: string, flags: ImportFlags) => {
      const config = await readConfig({ env, configPath: flags.config ?? null, projectDir });
      const bytes = await sizeOf(file);
      const db = openDatabase({
        databaseUrl: await findDatabaseUrl(config),
        poolSize: 1,
        applicationName: 'plimsoll feed import',
        // The statement that finds the connection gone says so.
        onIdleError: () => undefined,
      });
      try {
        const row = await importWithProgress(createImportStore(db), file, bytes, flags.complete === true);
        summarise(row, say);
      } finally {
        await db.close();
      }
    });
  return new Command('feed').description('advisory feeds').addCommand(importFile);
}

async function sizeOf(file: string): Promise<number> {
  try {
    const { size } = await stat(file);
    return size;
  } catch (cause) {
    throw new StartError(`${file} cannot be read.`, { cause });
  }
}

async function importWithProgress(
  imports: ImportStore,
  file: string,
  bytes: number,
  complete: boolean,
): Promise<ImportRow> {
  const id = newId<ImportId>();
  const bar = new cliProgress.SingleBar(
    { format: '{stage} [{bar}] {percentage}% | {records} records', hideCursor: true, clearOnComplete: true },
    cliProgress.Presets.shades_classic,
  );
  bar.start(bytes, 0, { stage: 'sending', records: 0 });
  try {
    await imports.create({ id, format: 'osv', origin: 'cli', complete, release: '' });
    await send(imports, id, file, (sent) => bar.update(sent));
    await imports.seal(id, bytes);
    return await follow(imports, id, (row) => bar.update({ stage: row.state, records: row.recordsRead }));
  } finally {
    bar.stop();
  }
}

async function send(
  imports: ImportStore,
  id: ImportId,
  file: string,
  onSent: (bytes: number) => void,
): Promise<void> {
  let sent = 0;
  let n = 0;
  for await (const read of createReadStream(file, { highWaterMark: chunkBytes })) {
    const chunk = read as Buffer; // No encoding is set, so that chunks are buffers.
    await imports.appendChunk(id, n++, chunk);
    sent += chunk.length;
    onSent(sent);
  }
}

async function follow(
  imports: ImportStore,
  id: ImportId,
  onProgress: (row: ImportRow) => void,
): Promise<ImportRow> {
  for (;;) {
    const row = await imports.find(id);
    if (row === null) throw new StartError('The import is gone.');
    onProgress(row);
    if (row.state === 'done' || row.state === 'failed') return row;
    await new Promise((resolve) => {
      setTimeout(resolve, pollMs);
    });
  }
}

function summarise(row: ImportRow, say: (line: string) => void): void {
  const { recordsRead, recordsChanged, recordsRejected, errors } = row;
  for (const { pointer, detail } of errors) say(pointer === '' ? detail : `${pointer}: ${detail}`);
  if (row.state === 'failed') throw new StartError('Nothing was imported.');
  const changes = recordsChanged === 0 ? 'nothing changed' : `${recordsChanged} new or changed`;
  say(`${recordsRead} records read, ${changes}, ${recordsRejected} rejected.`);
}
