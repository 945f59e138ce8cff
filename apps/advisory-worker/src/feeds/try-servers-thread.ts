import { access } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';
import { feedIds, filesToSync } from '@plimsoll/advisories';
import { type Release, shownUrl } from '@plimsoll/model';
import { openConnectionPool } from './feed-connection.ts';
import { type FeedSettings, feedSettingsOf } from './feed-settings.ts';
import { urlOf } from './feed-sources.ts';
import { FetchError } from './fetch-error.ts';
import { unknownVersion } from './fetch-file.ts';
import { requestFile } from './request-file.ts';

/**
 * A thread of `plimsoll doctor`: asks each server of the feeds that a fleet needs, or that have an address of their own in
 * the settings, for one file, as a sync would. Posts `{ server, problem }` of each; the problem of one that works is null.
 */
const { settings, env, fleet } = workerData as {
  readonly settings: FeedSettings;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly fleet: readonly Release[];
}; // of apps/cli/src/doctor/feed-server-check.ts

const limitMs = 8_000;
const { mirrors, enabledFeeds, ...routes } = feedSettingsOf(settings, env);
const pool = openConnectionPool(routes);
const signal = AbortSignal.timeout(limitMs);

const asked = new Map<string, { readonly url: URL; readonly isSparse: boolean }>();
for (const id of feedIds) {
  const isNamed = mirrors.mirrors.has(id) || mirrors.ownFiles.has(id);
  const enabled =
    isNamed && enabledFeeds.kind !== 'named' ? { kind: 'named' as const, ids: [id] } : enabledFeeds;
  for (const file of filesToSync(id, enabled, fleet, { ownFiles: mirrors.ownFiles })) {
    const url = urlOf(id, file, mirrors);
    const server = url.protocol === 'file:' ? url.href : url.origin;
    if (asked.get(server)?.isSparse !== false) asked.set(server, { url, isSparse: file.isSparse === true });
  }
}
const entries = [...asked].map(async ([server, file]) => ({ server, problem: await problemOf(file) }));
parentPort?.postMessage(await Promise.all(entries));
await pool.destroy();

async function problemOf({
  url,
  isSparse,
}: {
  readonly url: URL;
  readonly isSparse: boolean;
}): Promise<string | null> {
  try {
    if (url.protocol === 'file:') await access(fileURLToPath(url));
    else {
      const source = { url, known: unknownVersion, path: '', signal };
      const { response } = await requestFile(source, pool.from(url), {});
      await response.body.dump({ limit: 0, signal });
    }
    return null;
  } catch (error) {
    // A repository may be missing; its server answers.
    if (isSparse && error instanceof FetchError && ['not_there', 'denied'].includes(error.code)) return null;
    if (signal.aborted) return `${shownUrl(url)} did not answer within ${limitMs / 1_000} seconds.`;
    return error instanceof Error ? error.message : String(error);
  }
}
