import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, readlink } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { build, type Plugin } from 'esbuild';

const outfile = path.resolve(__dirname, '../../../node_modules/.cache/plimsoll-tests/fixture-service.mjs');
const testdata = path.resolve(__dirname, '../testdata');

/** Whether this process may mount a file system of its own, as root in most containers may not. */
export const canMount =
  process.getuid?.() === 0 &&
  spawnSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt'], { stdio: 'ignore' }).status ===
    0;

/** A running service with fixture apps, and its console output. */
export interface ServiceProcess {
  readonly child: ChildProcess;
  output(): string;
  /** Resolves at the last line of the introduction; rejects if the service ends before. */
  ready(): Promise<void>;
  /** The exit code, or the signal that ended it. */
  ended(): Promise<number | NodeJS.Signals | null>;
}

/** Bundles the fixture service; once per test file. */
export async function buildService(): Promise<void> {
  const { externalPackages } = (await import('../../../tools/external-packages.mjs' as string)) as {
    externalPackages(outputDir: string): Plugin;
  };
  await build({
    entryPoints: [path.join(__dirname, 'fixture-service.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    plugins: [externalPackages(path.dirname(outfile))],
  });
}

/**
 * Starts the service on a data folder and port; `settings` are further environment variables, `by` is the command that
 * runs Node.
 */
export function startService(
  dataDir: string,
  port: number,
  api: string,
  settings: Record<string, string> = {},
  by: readonly string[] = [],
): ServiceProcess {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !name.startsWith('PLIMSOLL_') && !/_URL$/.test(name),
  );
  const [program = process.execPath, ...args] = [...by, process.execPath, outfile, testdata, api];
  const child = spawn(program, args, {
    env: {
      ...Object.fromEntries(inherited),
      PLIMSOLL_DATA_DIR: dataDir,
      PLIMSOLL_API_PORT: String(port),
      PLIMSOLL_API_HOST: '127.0.0.1',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString('utf8');
    });
  }
  const end = once(child, 'close');
  const ended = async (): Promise<number | NodeJS.Signals | null> => {
    await end;
    return child.exitCode ?? child.signalCode;
  };
  return {
    child,
    output: () => output,
    ended,
    async ready() {
      const early = ended().then((how) =>
        Promise.reject(new Error(`the service ended with ${how}: ${output}`)),
      );
      await Promise.race([eventually(() => output.includes('Ctrl-C')), early]);
    },
  };
}

/** Waits for a condition; the test's own time limit ends the wait. */
export async function eventually(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await delay(20);
}

/** The processes whose environment, arguments or working folder name the folder: what a service on it left running. */
export async function processesOf(folder: string): Promise<readonly number[]> {
  const found: number[] = [];
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) continue;
    const [environment, args] = await Promise.all(
      ['environ', 'cmdline'].map((file) => readFile(`/proc/${name}/${file}`, 'utf8').catch(() => '')),
    );
    const cwd = await readlink(`/proc/${name}/cwd`).catch(() => '');
    if (`${environment}${args}${cwd}`.includes(folder)) found.push(Number(name));
  }
  return found;
}
