import { mkdir, rm, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import jestConfig from '../../jest.config.mjs';
import { installed, root, runProgram, TaskError } from './run-program.mjs';

/**
 * Jest loads all modules anew for each test file, which takes longer than most tests. So the whole suite runs in groups:
 * files that load the tests of several files of one folder, which then share modules. A test file must not depend on that:
 * every file passes alone, too.
 */
const folder = path.join(root, '.turbo/test-groups');

/** Most test files of a group, by project. Projects without an entry run file by file. */
const mostFiles = { unit: 48, servers: 17 };

/** These tests wait for PostgreSQL and timers for about a third of their time, unlike those with a browser. */
const maxWorkers = Math.max(3, availableParallelism() - 1);

/** Whether the project runs in groups. */
export function hasGroups(project) {
  return Object.hasOwn(mostFiles, project);
}

/** Writes the groups of the projects, in place of older ones, and a configuration of Jest for them. Resolves to its path. */
export async function writeTestGroups(projects) {
  await rm(folder, { recursive: true, force: true });
  const grouped = [];
  for (const project of projects) {
    const projectFolder = path.join(folder, project);
    await mkdir(projectFolder, { recursive: true });
    for (const { name, files } of groupsOf(await testFiles(project), mostFiles[project])) {
      await writeFile(path.join(projectFolder, `${name}.test.js`), textOfGroup(files));
    }
    grouped.push({
      ...jestConfig.projects.find(({ displayName }) => displayName === project),
      rootDir: root,
      testMatch: [`${projectFolder}/*.test.js`],
      testPathIgnorePatterns: [],
    });
  }
  const file = path.join(folder, 'jest.config.json');
  await writeFile(
    file,
    JSON.stringify({ ...jestConfig, maxWorkers, rootDir: root, projects: grouped }, null, 2),
  );
  return file;
}

/** The test files of a project, as Jest finds them: absolute, sorted. */
async function testFiles(project) {
  const args = [installed('jest/bin/jest.js'), '--listTests', '--json', '--selectProjects', project];
  const { code, output } = await runProgram(process.execPath, args);
  const list = output.split('\n').find((line) => line.startsWith('['));
  if (code !== 0 || list === undefined) throw new TaskError(`Jest lists no tests of ${project}:\n${output}`);
  return JSON.parse(list).sort();
}

/** Groups of at most `most` files, none with files of two apps or packages. */
function groupsOf(files, most) {
  const areas = [...new Set(files.map(areaOf))];
  return areas.flatMap((area) => {
    const its = files.filter((file) => areaOf(file) === area);
    const count = Math.ceil(its.length / most);
    return Array.from({ length: count }, (_, index) => ({
      name: `${area}-${index + 1}`,
      files: its.filter((_file, position) => position % count === index),
    }));
  });
}

/** `apps-api` of a test of apps/api, `tests` of one of the whole checkout. */
function areaOf(file) {
  const [first, second] = path.relative(root, file).split(path.sep);
  return first === 'tests' ? first : `${first}-${second}`;
}

function textOfGroup(files) {
  const parts = files.map(
    (file) =>
      `describe(${JSON.stringify(path.relative(root, file))}, () => {\n  require(${JSON.stringify(file)});\n});\n`,
  );
  return parts.join('');
}
