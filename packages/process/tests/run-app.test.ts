import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { buildSync } from 'esbuild';

const bundle = path.resolve(__dirname, '../../../node_modules/.run', `run-app-test-${process.pid}.mjs`);

/** An app that says `started`, and takes `STOP_MS` to stop. */
const source = `
  import { createLogger } from '${path.resolve(__dirname, '../src/logger.ts')}';
  import { runApp } from '${path.resolve(__dirname, '../src/run-app.ts')}';
  if (process.env.FAIL === 'late') {
    process.send?.('loading');
    while (process.connected) await new Promise((resolve) => setImmediate(resolve));
  }
  if (process.env.FAIL === 'start') {
    await runApp({ log: createLogger({ app: 'test', level: 'info' }), start: () => Promise.reject(new Error('no way')) });
  } else {
    await runApp({
      log: createLogger({ app: 'test', level: 'info' }),
      graceMs: 300,
      async start() {
        if (process.env.FAIL === 'hang') {
          process.send?.('starting');
          await new Promise((resolve) => setInterval(resolve, 3_600_000));
        }
        const busy = setInterval(() => undefined, 1_000);
        if (process.env.FAIL === 'rejected') setTimeout(() => { Promise.reject(new Error('rejected')); }, 10);
        if (process.env.FAIL === 'later') setTimeout(() => { throw new Error('later'); }, 10);
        return {
          async stop() {
            if (process.env.FAIL === 'stop') await new Promise(() => undefined);
            clearInterval(busy);
          },
        };
      },
    });
    process.send?.('started');
  }`;

beforeAll(() => {
  buildSync({
    stdin: { contents: source, resolveDir: __dirname, loader: 'ts' },
    outfile: bundle,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    // Node runs the bundle without a TypeScript loader.
    alias: { '@plimsoll/model': path.resolve(__dirname, '../../model/src/index.ts') },
  });
});

interface Started {
  readonly child: ChildProcess;
  readonly output: () => string;
  readonly exited: Promise<unknown[]>;
}

function start(fail = ''): Started {
  const child = fork(bundle, [], {
    env: { PATH: process.env['PATH'], FAIL: fail },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let output = '';
  child.stdout?.on('data', (text: Buffer) => {
    output += text.toString();
  });
  return { child, output: () => output, exited: once(child, 'exit') };
}

describe('an app process', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)('stops once and ends with 0 on %s', async (signal) => {
    const { child, output, exited } = start();
    await once(child, 'message');
    child.kill(signal);
    child.kill(signal);
    expect(await exited).toEqual([0, null]);
    expect(output().match(/"app stops"/g)).toHaveLength(1);
    expect(output()).toContain('"app stopped"');
  });

  it('stops when its supervisor is gone', async () => {
    const { child, exited } = start();
    await once(child, 'message');
    child.disconnect();
    expect(await exited).toEqual([0, null]);
  });

  it('stops when its supervisor was gone before it could listen for that', async () => {
    const { child, exited } = start('late');
    await once(child, 'message');
    child.disconnect();
    expect(await exited).toEqual([0, null]);
  });

  it('stops when its supervisor has ended and its output has no reader', async () => {
    const { child, exited } = start();
    await once(child, 'message');
    child.stdout?.destroy();
    child.stderr?.destroy();
    child.disconnect();
    expect(await exited).toEqual([0, null]);
  });

  it.each([
    ['a start that fails', 'start'],
    ['an uncaught exception', 'later'],
    ['an unhandled rejection', 'rejected'],
  ])('ends with 1 on %s, and says why', async (_name, fail) => {
    const { output, exited } = start(fail);
    expect(await exited).toEqual([1, null]);
    expect(output()).toContain('"app failed"');
  });

  it('ends with 1 when stopping takes too long', async () => {
    const { child, exited } = start('stop');
    await once(child, 'message');
    child.kill('SIGTERM');
    expect(await exited).toEqual([1, null]);
  });

  it('ends with 1 when it is asked to stop and its start never ends', async () => {
    const { child, output, exited } = start('hang');
    await once(child, 'message');
    child.kill('SIGTERM');
    expect(await exited).toEqual([1, null]);
    expect(output()).toContain('"app took too long to stop"');
  });
});
