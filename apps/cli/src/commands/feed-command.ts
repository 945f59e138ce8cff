import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { distributionOf } from '@plimsoll/advisories';
import { cliActor, createImportStore, type ImportRow, type ImportStore, newId } from '@plimsoll/db';
import { feedFormats, type ImportId, type Release } from '@plimsoll/model';
import cliProgress from 'cli-progress';
import { Command, InvalidArgumentError, Option } from 'commander';
import { StartError } from '../service/start-error.ts';
import { withDatabase } from '../service/with-database.ts';
import { type CommandContext, type ConfigFlags, configOption } from './command-context.ts';
import { feedListCommand } from './feed-list-command.ts';

const chunkBytes = 1024 * 1024;
const pollMs = 200;

interface ImportFlags extends ConfigFlags {
  readonly complete?: boolean;
  readonly format?: string;
  readonly release?: string;
  readonly asOf?: Date;
}

/**
 * `plimsoll feed list`, and `plimsoll feed import FILE`: gives a file to the running service and waits until hosts are
 * matched.
 */
export function feedCommand(context: CommandContext): Command {
  const importFile = new Command('import')
    .description(
      'import advisories: OSV (zip, JSON, JSON Lines), updateinfo XML, errata of AlmaLinux and Rocky, Red Hat CVEs and repositories, CISA KEV, EPSS or lifecycles; plain, gzip, zstd, xz or bzip2',
    )
    .argument('<file>', 'the file')
    .option('--complete', 'the file is the whole feed: records that it lacks are removed')
    .addOption(
      new Option('--format <format>', 'its format; without it the content decides').choices(feedFormats),
    )
    .option(
      '--release <release>',
      'like almalinux:8; only where the file does not say it itself',
      readRelease,
    )
    .option(
      '--as-of <time>',
      'with --complete: until when the file is all there is to know, like 2026-11-22T06:00:00Z',
      readAsOf,
    )
    .addOption(configOption())
    .action(async (file: string, flags: ImportFlags) => {
      if (flags.asOf !== undefined && flags.complete !== true)
        throw new StartError('--as-of says something of a whole feed: give --complete with it.');
      const bytes = await sizeOf(file);
      const { complete = false, format = 'auto', release = '', asOf = null } = flags;
      const wanted = { path: file, bytes, complete, format, release, asOf };
      await withDatabase(context, flags, 'plimsoll feed import', async (db) =>
        summarise(await importWithProgress(createImportStore(db), wanted), context.say),
      );
    });
  return new Command('feed')
    .description('advisory feeds')
    .addCommand(importFile)
    .addCommand(feedListCommand(context));
}

interface FileToImport {
  readonly path: string;
  readonly bytes: number;
  readonly complete: boolean;
  readonly format: string;
  readonly release: string;
  readonly asOf: Date | null;
}

function readRelease(text: string): string {
  // Any text may be tested for its distribution.
  if (distributionOf(text as Release) !== null) return text;
  throw new InvalidArgumentError('It is no release that is known; one looks like almalinux:8.');
}

function readAsOf(text: string): Date {
  const isTime = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,6})?)?(Z|[+-]\d\d:\d\d))?$/.test(text);
  const time = new Date(text);
  if (!isTime || Number.isNaN(time.getTime()))
    throw new InvalidArgumentError('It is no time like 2026-11-22T06:00:00Z.');
  if (time.getTime() > Date.now()) throw new InvalidArgumentError('It is in the future.');
  return time;
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
  { path, bytes, ...file }: FileToImport,
): Promise<ImportRow> {
  const id = newId<ImportId>();
  const bar = new cliProgress.SingleBar(
    { format: '{stage} [{bar}] {percentage}% | {records} records', hideCursor: true, clearOnComplete: true },
    cliProgress.Presets.shades_classic,
  );
  bar.start(bytes, 0, { stage: 'sending', records: 0 });
  try {
    await imports.create({ id, origin: 'cli', ...file });
    await send(imports, id, path, (sent) => bar.update(sent));
    await imports.seal(id, bytes, cliActor('plimsoll feed import'));
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
    const chunk = read as Buffer; // No encoding is set, so chunks are buffers.
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
    await delay(pollMs);
  }
}

function summarise(row: ImportRow, say: (line: string) => void): void {
  const { recordsRead, recordsChanged, recordsRejected, errors } = row;
  for (const { pointer, detail } of errors) say(pointer === '' ? detail : `${pointer}: ${detail}`);
  if (row.state === 'failed') throw new StartError('Nothing was imported.');
  const changes = recordsChanged === 0 ? 'nothing changed' : `${recordsChanged} new or changed`;
  say(`${recordsRead} records read, ${changes}, ${recordsRejected} rejected.`);
}
