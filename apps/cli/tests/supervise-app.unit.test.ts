import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { folderPerFile, waitFor } from '@plimsoll/testing';
import { type SupervisedApp, superviseApp, type UnexpectedEnd } from '../src/service/supervise-app.ts';

const never = new AbortController().signal;
const folder = folderPerFile();
let output = '';
const ends: UnexpectedEnd[] = [];

beforeAll(async () => {
  await writeFile(
    path.join(folder, 'app.mjs'),
    `process.on('SIGTERM', () => { process.stdout.write('finished\\n', () => process.exit(0)); });
     process.stdout.write('started ' + process.pid + '\\n');
     setInterval(() => undefined, 1_000);`,
  );
});

function supervise(): SupervisedApp {
  return superviseApp({
    name: 'app',
    entry: path.join(folder, 'app.mjs'),
    cwd: folder,
    env: {},
    account: { kind: 'own' },
    inspect: null,
    onStart: () => undefined,
    onOutput: (text) => {
      output += text;
    },
    onUnexpectedEnd: (end) => ends.push(end),
  });
}

it('restarts an app on request after it has finished, without counting a failure', async () => {
  const app = supervise();
  const pids = (): readonly string[] => [...output.matchAll(/started (\d+)/g)].map(([, pid = '']) => pid);
  await waitFor('the first start', async () => pids().length === 1);
  await app.restart(10_000);
  await waitFor('the second start', async () => pids().length === 2);
  expect(output).toMatch(/^started \d+\nfinished\nstarted \d+\n$/);
  expect(new Set(pids()).size).toBe(2);
  await app.stop(10_000, never);
  await app.restart(10_000);
  expect({ starts: pids().length, failures: app.failures(), ends }).toEqual({
    starts: 2,
    failures: 0,
    ends: [],
  });
});
