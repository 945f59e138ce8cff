import { existsSync } from 'node:fs';
import { besideTests, labChecks, productChecks } from './check.mjs';
import { installed, runProgram } from './run-program.mjs';
import { hasGroups, writeTestGroups } from './test-groups.mjs';

/**
 * `test [--projects=NAME,…] [ARGUMENT…]`: runs Jest with the arguments. Without arguments it checks the whole product
 * beside the tests (tools/tasks/check.mjs). The projects, by default `unit` and `servers`, apply unless an argument is
 * a path, which selects its tests in any project. Without arguments for Jest, projects run in groups if they have any
 * (tools/tasks/test-groups.mjs).
 */
export async function run(args) {
  if (args.length === 0) await besideTests(productChecks, () => runJest(args));
  else await runJest(args);
}

/** `lab-check`: the checks and the tests of the lab. */
export async function runLab() {
  await besideTests(labChecks, () => runJest(['--projects=lab']));
}

async function runJest(args) {
  const { projects, jestArgs } = splitArguments(args);
  const selection = jestArgs.some(selectsFiles) ? [] : ['--selectProjects', ...projects];
  const config =
    jestArgs.length === 0 && projects.every(hasGroups) ? ['--config', await writeTestGroups(projects)] : [];
  // Last, because the option consumes every following argument.
  const command = [installed('jest/bin/jest.js'), ...config, ...jestArgs, ...selection];
  const { code } = await runProgram(process.execPath, command, {}, 'inherit');
  process.exitCode = code ?? 1;
}

function splitArguments(args) {
  const option = '--projects=';
  const named = args
    .filter((arg) => arg.startsWith(option))
    .flatMap((arg) => arg.slice(option.length).split(','));
  return {
    projects: named.length === 0 ? ['unit', 'servers'] : named,
    jestArgs: args.filter((arg) => !arg.startsWith(option)),
  };
}

function selectsFiles(arg) {
  return arg === '--selectProjects' || (!arg.startsWith('-') && existsSync(arg));
}
