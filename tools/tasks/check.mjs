import { installed, runProgram, TaskError } from './run-program.mjs';

/** Every check of the tree except tests, by name. */
const checks = {
  lint: ['format and lint', '@biomejs/biome/bin/biome', 'check', '--no-errors-on-unmatched', '.'],
  types: ['types', 'typescript/bin/tsc', '--noEmit', '-p', 'tsconfig.json'],
  'dashboard-types': [
    "the dashboard's types",
    'typescript/bin/tsc',
    '--noEmit',
    '-p',
    'apps/dashboard/tsconfig.json',
  ],
  imports: [
    'imports',
    'dependency-cruiser/bin/dependency-cruise.mjs',
    '--config',
    '.dependency-cruiser.cjs',
    'packages',
    'apps',
    'tests',
    'tools',
  ],
};

/** `check [NAME…]`: runs the named checks, by default all. Stops at the first failure. */
export async function run(names = []) {
  const unknown = names.filter((name) => !(name in checks));
  if (unknown.length > 0)
    throw new TaskError(`no check is named ${unknown.join(', ')}; checks: ${Object.keys(checks).join(', ')}`);
  for (const name of names.length === 0 ? Object.keys(checks) : names) {
    const [title, file, ...args] = checks[name];
    const startedAt = performance.now();
    const { code, output } = await runProgram(process.execPath, [installed(file), ...args]);
    if (code !== 0) throw new TaskError(`${output}\n${title}: failed`);
    process.stdout.write(`${title}: fine (${((performance.now() - startedAt) / 1000).toFixed(1)} s)\n`);
  }
}
