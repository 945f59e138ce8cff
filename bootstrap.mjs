/**
 * `npm start`, `npm run build` and every task of tools/tasks (`npm test`, `npm run dev`, …): prepares a
 * checkout for its command with only Node and npm: installs missing packages of package-lock.json, and builds
 * what changed.
 */
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { nodeProblem } from './apps/cli/bin/node-problem.mjs';
import { runProgram, TaskError } from './tools/tasks/run-program.mjs';

const root = path.dirname(fileURLToPath(import.meta.url));
const bin = (file) => path.join(root, 'node_modules', file);
const say = (line) => process.stdout.write(`${line}\n`);

/** Each is a module of tools/tasks that exports `run(args)`. */
const tasks = ['test', 'check', 'lab-check', 'bench', 'dev'];

async function main(command, args) {
  const problem = nodeProblem(process.versions.node);
  if (problem !== null) throw new TaskError(problem);
  if (!['start', 'build', ...tasks].includes(command))
    throw new TaskError(`usage: node bootstrap.mjs start|build|${tasks.join('|')} [ARGUMENT…]`);
  process.chdir(root);
  await withPreparationLock(async () => {
    const isFirst = !isInstalled();
    if (isFirst) await install();
    await buildApps(isFirst);
  });
  if (['start', 'dev'].includes(command)) endWithNpm();
  if (command === 'start') await start(args);
  if (!tasks.includes(command)) return;
  const task = await import(`./tools/tasks/${command}.mjs`);
  await task.run(args);
}

/**
 * Whether node_modules has the packages of package-lock.json: npm records at the end of an installation what
 * it installed. Optional packages may be missing, because most are for other platforms.
 */
function isInstalled() {
  const wanted = readLock(path.join(root, 'package-lock.json'));
  const installed = readLock(bin('.package-lock.json'));
  if (wanted === null) throw new TaskError(`${root} has no package-lock.json; this is not a whole checkout.`);
  if (installed === null) return false;
  return Object.entries(wanted).every(([folder, { version, integrity, link, resolved, optional }]) => {
    if (!folder.startsWith('node_modules/') && !folder.includes('/node_modules/')) return true;
    const found = installed[folder];
    // npm does not link workspaces that do not exist.
    if (found === undefined)
      return optional === true || (link === true && !existsSync(path.join(root, resolved)));
    return link === true
      ? found.resolved === resolved
      : found.version === version && found.integrity === integrity;
  });
}

function readLock(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages;
  } catch (error) {
    if (error.code === 'ENOENT') return null;
    throw error;
  }
}

async function install() {
  say('Installing dependencies (npm ci), about half a minute…');
  // As options, so that neither NODE_ENV=production nor an .npmrc omits packages that the build needs.
  const options = [
    '--ignore-scripts',
    '--include=dev',
    '--include=optional',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ];
  const npm = process.env.npm_execpath ?? '';
  const [program, ...before] = /npm-cli\.c?js$/.test(npm) ? [process.execPath, npm] : ['npm'];
  const { code, output } = await runProgram(program, [...before, 'ci', ...options]);
  if (code !== 0)
    throw new TaskError(`${output}\nThe dependencies could not be installed (npm ci, see above).`);
}

/** Prints that it builds only if that takes long: builds are cached. */
async function buildApps(isFirst) {
  if (isFirst) say('Building the service and the dashboard, about half a minute…');
  const options = [
    '--output-logs=errors-only',
    '--log-prefix=none',
    '--ui=stream',
    `--cache-dir=${bin('.cache/turbo')}`,
  ];
  const quiet = { TURBO_TELEMETRY_DISABLED: '1', TURBO_NO_UPDATE_NOTIFIER: '1', DO_NOT_TRACK: '1' };
  const { code, output } = await runProgram(
    process.execPath,
    [bin('turbo/bin/turbo'), 'run', 'generate', 'build', ...options],
    quiet,
  );
  if (code !== 0) throw new TaskError(`${output}\nThe build failed, see above.`);
}

/** Replaces the rest of this process by the command, so that it gets signals directly. */
async function start(args) {
  say('Starting the database and the apps…');
  process.argv = [process.argv[0], path.join(root, 'apps/cli/bin/plimsoll.mjs'), 'start', ...args];
  await import('./apps/cli/bin/plimsoll.mjs');
}

/**
 * Ends this process when npm has ended. npm passes other signals on, but a killed npm (SIGKILL) only leaves
 * this process with another parent.
 */
function endWithNpm() {
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) process.kill(process.pid, 'SIGTERM');
  }, 1_000).unref();
}

/** Lets only one process at a time install and build in this checkout; others wait. */
async function withPreparationLock(prepare) {
  const file = path.join(root, '.turbo', 'preparing.lock');
  mkdirSync(path.dirname(file), { recursive: true });
  for (let turn = 1; !takeLock(file); turn += 1) {
    if (turn === 25) say(`Waiting for another process that prepares this checkout (${file}).`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  try {
    await prepare();
  } finally {
    rmSync(file, { force: true });
  }
}

function takeLock(file) {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, String(process.pid));
  try {
    linkSync(draft, file);
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    removeIfStale(file);
    return false;
  } finally {
    rmSync(draft);
  }
}

/** A process that was killed leaves its lock behind. */
function removeIfStale(file) {
  try {
    process.kill(Number(readFileSync(file, 'utf8')), 0);
  } catch (error) {
    if (error.code === 'ESRCH') rmSync(file, { force: true });
    else if (error.code !== 'ENOENT' && error.code !== 'EPERM') throw error;
  }
}

main(process.argv[2], process.argv.slice(3)).catch((error) => {
  process.stderr.write(`${error instanceof TaskError ? error.message : error.stack}\n`);
  process.exitCode = 1;
});
