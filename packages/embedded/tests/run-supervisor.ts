import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { build } from 'esbuild';

/** Starts the fixture supervisor as its own process and waits until its server is ready. */
export async function runSupervisor(
  dataDir: string,
  server: 'postgres' | 'redis',
  searchPath = '',
): Promise<ChildProcess> {
  const outfile = path.resolve(
    __dirname,
    '../../../node_modules/.cache/plimsoll-tests/fixture-supervisor.mjs',
  );
  await build({
    entryPoints: [path.join(__dirname, 'fixture-supervisor.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    packages: 'external',
    // Node alone runs the bundle, and reads no TypeScript.
    alias: { '@plimsoll/model': path.resolve(__dirname, '../../model/src/index.ts') },
  });
  const child = spawn(process.execPath, [outfile, dataDir, server, searchPath], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await Promise.race([
    once(child.stdout, 'data'),
    once(child, 'exit').then(() =>
      Promise.reject(new Error('the supervisor ended before its server was ready')),
    ),
  ]);
  return child;
}

/** Kills a process with SIGKILL. */
export async function killHard(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}

/** Kills the guard of the server with this process id, so that only the next start can stop the server. */
export async function killGuard(serverPid: number): Promise<void> {
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const args = (await readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => '')).split('\0');
    if (args[3] === 'plimsoll-guard' && args[4] === String(serverPid)) process.kill(Number(name), 'SIGKILL');
  }
}
