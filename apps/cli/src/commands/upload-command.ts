import { cliActor, createQuarantineStore, type QuarantineStore } from '@plimsoll/db';
import { Command } from 'commander';
import { StartError } from '../service/start-error.ts';
import { withDatabase } from '../service/with-database.ts';
import { type CommandContext, type ConfigFlags, configOption } from './command-context.ts';

const rowsPerPage = 500;

/** `plimsoll upload list --failed` and `plimsoll upload retry [ID…|--all]`. */
export function uploadCommand(context: CommandContext): Command {
  const { say } = context;
  const list = new Command('list')
    .description('rejected reports: when, host, reason, and whether they can be read again')
    .requiredOption('--failed', 'those that were rejected; the page of each host has all')
    .addOption(configOption())
    .action((flags: ConfigFlags) => withQuarantine(context, flags, (store) => listFailed(store, say)));
  const retry = new Command('retry')
    .description('let rejected reports be read again, each alone')
    .argument('[id...]', 'ids of `upload list`')
    .option('--all', 'all that can be read again')
    .addOption(configOption())
    .action((ids: string[], flags: ConfigFlags & { readonly all?: boolean }) => {
      if ((ids.length === 0) === (flags.all !== true)) throw new StartError('Give ids, or --all.');
      return withQuarantine(context, flags, async (store) => {
        const wanted = { ids: flags.all === true ? null : ids, reason: null };
        const retried = await store.retry(wanted, (uploads) => ({
          action: 'upload.retried',
          actor: cliActor('plimsoll upload retry'),
          target: null,
          details: { uploads, reason: null, ids },
        }));
        say(
          `${retried} wait to be read again. \`plimsoll upload list --failed\` shows those that fail again.`,
        );
        if (retried < ids.length) throw new StartError(`${ids.length - retried} cannot be read again.`);
      });
    });
  return new Command('upload').description('reports that hosts sent').addCommand(list).addCommand(retry);
}

async function listFailed(store: QuarantineStore, say: (line: string) => void): Promise<void> {
  let after: { readonly at: Date; readonly id: string } | null = null;
  for (;;) {
    const rows: Awaited<ReturnType<QuarantineStore['list']>> = await store.list('upload', {
      limit: rowsPerPage,
      after,
    });
    if (after === null && rows.length === 0)
      say('No rejected report is kept. Older ones are deleted after retention.uploads_days.');
    // The text may be a host's.
    for (const { id, at, name, reason, detail, retry } of rows)
      say(`${id} ${at.toISOString()} ${JSON.stringify(name)} ${reason} ${retry} ${JSON.stringify(detail)}`);
    const last = rows.at(-1);
    if (last === undefined || rows.length < rowsPerPage) return;
    after = last;
  }
}

function withQuarantine(
  context: CommandContext,
  flags: ConfigFlags,
  run: (store: QuarantineStore) => Promise<void>,
): Promise<void> {
  return withDatabase(context, flags, 'plimsoll upload', (db) => run(createQuarantineStore(db)));
}
