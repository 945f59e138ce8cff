import { spawnSync } from 'node:child_process';

/** A shell in which the scripts must run: its name, and the command that runs a script in it. */
export interface Shell {
  readonly name: string;
  readonly command: readonly [string, ...string[]];
}

const wanted: readonly Shell[] = [
  { name: 'dash', command: ['dash'] },
  { name: 'bash', command: ['bash', '--posix'] },
  { name: 'busybox ash', command: ['busybox', 'ash'] },
  { name: 'ksh', command: ['ksh93'] },
];

/** The wanted shells that this machine has. */
export const shells: readonly Shell[] = wanted.filter(runs);

/** The names of the wanted shells that this machine lacks. */
export const missingShells: readonly string[] = wanted
  .filter((shell) => !runs(shell))
  .map(({ name }) => name);

function runs({ command: [program, ...options] }: Shell): boolean {
  return spawnSync(program, [...options, '-c', 'exit 0']).status === 0;
}
