import { existsSync, readdirSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** One clock for all processes of a service. */
export interface WorldClock {
  /** The environment of a server. */
  readonly forServers: Readonly<Record<string, string>>;
  /** The environment of a process of Node; its timers follow the clock forward, too (follow-clock.cjs). */
  readonly forNode: Readonly<Record<string, string>>;
  now(): Date;
  /** Sets the clock of every process; it runs on from there. */
  moveTo(time: Date): Promise<void>;
}

/** Folders in which distributions install libfaketime. */
const folders = [
  ...readdirSync('/usr/lib').map((name) => path.join('/usr/lib', name, 'faketime')),
  '/usr/lib/faketime',
  '/usr/lib64/faketime',
];

/** The folder of libfaketime (https://github.com/wolfcw/libfaketime); null without it. */
export function faketimeFolder(): string | null {
  return folders.find((folder) => existsSync(path.join(folder, 'libfaketimeMT.so.1'))) ?? null;
}

/** A clock that shows `time`. Each process adds the seconds in a file of `folder` to its own clock. */
export async function startWorldClock(folder: string, time: Date): Promise<WorldClock> {
  const libraries = faketimeFolder();
  if (libraries === null) throw new Error('libfaketime is not installed');
  const file = path.join(folder, 'clock');
  let addedMs = 0;
  const clock: WorldClock = {
    // The C library's malloc before that of jemalloc, which asks for the time before libfaketime can say it.
    forServers: environment(file, `${path.join(libraries, 'libfaketime.so.1')} libc.so.6`),
    forNode: {
      // The library for processes with threads.
      ...environment(file, path.join(libraries, 'libfaketimeMT.so.1')),
      NODE_OPTIONS: `--require=${path.join(__dirname, 'follow-clock.cjs')}`,
    },
    now: () => new Date(Date.now() + addedMs),
    async moveTo(next) {
      const seconds = Math.ceil((next.getTime() - Date.now()) / 1_000);
      addedMs = seconds * 1_000;
      // In one step, because processes read it at any moment.
      await writeFile(`${file}.next`, `+${seconds}`, { mode: 0o644 });
      await rename(`${file}.next`, file);
    },
  };
  await clock.moveTo(time);
  return clock;
}

function environment(file: string, library: string): Readonly<Record<string, string>> {
  return {
    LD_PRELOAD: library,
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_NO_CACHE: '1',
    // What waits for a time to pass really waits.
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    NO_FAKE_STAT: '1',
  };
}
