import { readdirSync } from 'node:fs';
import path from 'node:path';
import { root, runProgram, TaskError } from './run-program.mjs';

const ending = '.bench.ts';

/** `bench NAME [ARGUMENT…]`: runs lab/benches/NAME.bench.ts. */
export async function run([name, ...args]) {
  const names = readdirSync(path.join(root, 'lab/benches'))
    .filter((file) => file.endsWith(ending))
    .map((file) => file.slice(0, -ending.length));
  if (!names.includes(name))
    throw new TaskError(`usage: npm run bench -- NAME [ARGUMENT…]\nbenches: ${names.join(', ')}`);
  const program = [path.join(root, 'tools/run.mjs'), `lab/benches/${name}${ending}`, ...args];
  const { code } = await runProgram(process.execPath, program, {}, 'inherit');
  process.exitCode = code ?? 1;
}
