import { readdirSync } from 'node:fs';
import { installed, root, runProgram, TaskError } from './run-program.mjs';

const lab = 'lab';
/** The product is everything else; Biome leaves out what git ignores. */
const product = readdirSync(root).filter((name) => name !== lab && name !== '.git');

/** Every check of the product except tests, by name. */
export const productChecks = {
  imports: imports('imports', ['packages', 'apps', 'tests', 'tools']),
  types: types('types', 'tsconfig.json', 'types'),
  'dashboard-types': types("the dashboard's types", 'apps/dashboard/tsconfig.json', 'dashboard-types'),
  lint: lint('format and lint', product),
};

/** The same of the lab. */
export const labChecks = {
  'lab-imports': imports("the lab's imports", [lab]),
  'lab-types': types("the lab's types", `${lab}/tsconfig.json`, 'lab-types'),
  'lab-lint': lint("the lab's format and lint", [lab]),
};

function lint(title, paths) {
  return [title, '@biomejs/biome/bin/biome', 'check', '--no-errors-on-unmatched', ...paths];
}

/** A check of types that keeps its state below .turbo/: after a change it reads only what depends on it. */
function types(title, project, name) {
  const state = ['--incremental', '--tsBuildInfoFile', `.turbo/${name}.tsbuildinfo`];
  return [title, 'typescript/bin/tsc', '--noEmit', ...state, '-p', project];
}

function imports(title, folders) {
  const config = ['--config', '.dependency-cruiser.cjs'];
  return [title, 'dependency-cruiser/bin/dependency-cruise.mjs', ...config, ...folders];
}

/** `check [NAME…]`: runs the named checks, by default all of the product. */
export async function run(names = []) {
  const unknown = names.filter((name) => !(name in productChecks));
  const known = Object.keys(productChecks).join(', ');
  if (unknown.length > 0) throw new TaskError(`no check is named ${unknown.join(', ')}; checks: ${known}`);
  const wanted = names.length === 0 ? Object.values(productChecks) : names.map((name) => productChecks[name]);
  throwFailures(await failuresOf(wanted));
}

/** Runs checks and tests side by side. What a failed check printed comes after the tests. */
export async function besideTests(checks, runTests) {
  const [failures] = await Promise.all([failuresOf(Object.values(checks)), runTests()]);
  throwFailures(failures);
}

function throwFailures(failures) {
  if (failures.length > 0) throw new TaskError(failures.join('\n'));
}

/** Runs checks two at a time, because that of imports uses one core only. Resolves to what failed ones printed. */
async function failuresOf(checks) {
  const pending = [...checks];
  const failures = [];
  const runRest = async () => {
    for (let check = pending.shift(); check !== undefined; check = pending.shift()) {
      const [title, file, ...args] = check;
      const startedAt = performance.now();
      const { code, output } = await runProgram(process.execPath, [installed(file), ...args]);
      if (code !== 0) failures.push(`${output}\n${title}: failed`);
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
      process.stdout.write(`${title}: ${code === 0 ? 'fine' : 'failed'} (${seconds} s)\n`);
    }
  };
  await Promise.all([runRest(), runRest()]);
  return failures;
}
