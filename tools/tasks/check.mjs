import { installed, runProgram, TaskError } from './run-program.mjs';

/** Every check of the tree except tests, by name. */
const checks = {
  lint: ['format and lint', '@biomejs/biome/bin/biome', 'check', '--no-errors-on-unmatched', '.'],
  types: ['types', ...typeCheck('tsconfig.json', 'types')],
  'dashboard-types': [
    "the dashboard's types",
    ...typeCheck('apps/dashboard/tsconfig.json', 'dashboard-types'),
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

/** A check of types that keeps its state below .turbo/: after a change it reads only what depends on it. */
function typeCheck(project, name) {
  const state = `.turbo/${name}.tsbuildinfo`;
  return ['typescript/bin/tsc', '--noEmit', '--incremental', '--tsBuildInfoFile', state, '-p', project];
}

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
