import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const firstInspectPort = 9229;
const everyMs = 250;

/** The debugger's address for the app with start number `index`, from 0. */
export function inspectAddress(index: number): string {
  return `127.0.0.1:${firstInspectPort + index}`;
}

/**
 * Calls `onChange` after files of a bundle have changed and then stayed unchanged for a quarter of a second.
 * Polls instead of listening, because a build may replace the whole folder. The result stops the watch.
 */
export function watchBundle(folder: string, onChange: () => Promise<void>): () => Promise<void> {
  const ended = new AbortController();
  const watching = watch(folder, fingerprint(folder), onChange, ended.signal);
  return async () => {
    ended.abort();
    await watching;
  };
}

async function watch(
  folder: string,
  first: string,
  onChange: () => Promise<void>,
  ended: AbortSignal,
): Promise<void> {
  let known = first;
  let before = known;
  while (!ended.aborted) {
    // Rejects only when the watch ends, which is checked below.
    await delay(everyMs, undefined, { signal: ended }).catch(() => undefined);
    const now = fingerprint(folder);
    // Empty while a build replaces the folder.
    const isSettled = now !== '' && now === before;
    before = now;
    if (ended.aborted || !isSettled || now === known) continue;
    known = now;
    await onChange();
  }
}

/** Changes with any JavaScript file below the folder; empty if there are none or one was just removed. */
function fingerprint(folder: string): string {
  try {
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    const files = names.filter((name) => name.endsWith('.js')).sort();
    const stats = files.map((name) => statSync(path.join(folder, name)));
    return stats.map(({ ino, size, mtimeMs }) => `${ino} ${size} ${mtimeMs}`).join();
  } catch {
    // A build removed the folder or one of its files meanwhile; the next poll finds the new ones.
    return '';
  }
}
