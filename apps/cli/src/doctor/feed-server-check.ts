import { once } from 'node:events';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Config } from '@plimsoll/config';
import type { Release } from '@plimsoll/model';
import { type Finding, ok, unknown, warning } from '@plimsoll/process';
import { z } from 'zod';
import type { CommandContext } from '../commands/command-context.ts';

const answer = z.array(z.object({ server: z.string(), problem: z.string().nullable() }));

/** Whether the servers of needed feeds answer, asked by the advisory-worker's code. @param fleet null: not known */
export async function feedServerCheck(
  config: Config,
  fleet: readonly Release[] | null,
  { env, projectDir }: Pick<CommandContext, 'env' | 'projectDir'>,
): Promise<Finding> {
  if (!config['feeds.sync_enabled']) return unknown('Nothing is fetched: feeds.sync_enabled is false.');
  const file = path.join(projectDir, 'apps/advisory-worker/dist/feeds/try-servers-thread.js');
  const thread = new Worker(file, { workerData: { settings: config, env: { ...env }, fleet: fleet ?? [] } });
  const [message] = await once(thread, 'message');
  const tried = answer.parse(message);
  const problems = tried.flatMap(({ problem }) => problem ?? []);
  if (problems.length > 0)
    return warning(
      `${problems.length} of ${tried.length} servers of feeds cannot be used: ${problems.join(' ')}`,
      'Let this machine reach them, or correct feeds.proxy, feeds.base_url or feeds.urls: docs/operations/feeds.md.',
    );
  const says = tried.length > 0 ? `These give feeds: ${tried.map(({ server }) => server).join(', ')}.` : '';
  if (fleet === null) return unknown(`${says} Which feeds hosts need is in the database.`.trim());
  return says === '' ? unknown('No host needs a feed yet.') : ok(says);
}
