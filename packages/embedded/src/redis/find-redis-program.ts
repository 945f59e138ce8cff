import { access, constants } from 'node:fs/promises';
import path from 'node:path';
import { runProgram } from '../run-program.ts';

const programNames = ['redis-server', 'valkey-server'] as const;

/** BullMQ's recommended minimum; older ones lack commands it uses. */
const oldestVersion = [6, 2] as const;

/** The first redis-server or valkey-server on the search path that runs and is at least 6.2, or `null`. */
export async function findRedisProgram(searchPath: string): Promise<string | null> {
  const folders = searchPath.split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  for (const name of programNames) {
    for (const folder of folders) {
      const program = path.join(folder, name);
      if ((await isExecutable(program)) && (await isRecent(program))) return program;
    }
  }
  return null;
}

async function isExecutable(program: string): Promise<boolean> {
  return access(program, constants.X_OK).then(
    () => true,
    () => false,
  );
}

async function isRecent(program: string): Promise<boolean> {
  const { code, output } = await runProgram({ program, args: ['--version'] });
  const version = /\bv=(\d+)\.(\d+)/.exec(output);
  if (code !== 0 || version === null) return false;
  const [major, minor] = [Number(version[1]), Number(version[2])];
  return major > oldestVersion[0] || (major === oldestVersion[0] && minor >= oldestVersion[1]);
}
