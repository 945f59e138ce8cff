import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { build } from 'esbuild';
import type { QueueBackend } from '../src/index.ts';
import { until } from './until.ts';

const bundle = join(__dirname, '../dist/worker-process.mjs');

/** Bundles worker-process.ts the way apps are bundled, so that the child runs the production code. */
export async function buildWorker(): Promise<void> {
  await build({
    entryPoints: [join(__dirname, 'worker-process.ts')],
    outfile: bundle,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    external: ['bullmq', 'ioredis', 'pg', 'zod'],
    logLevel: 'error',
  });
}

/** A worker process under test. */
export class WorkerChild {
  readonly lines: string[] = [];
  readonly #child: ChildProcess;

  /** @param aheadMs by how much its clock is ahead */
  constructor(where: QueueBackend, aheadMs = 0) {
    this.#child = spawn(process.execPath, [bundle, JSON.stringify(where), `${aheadMs}`], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    if (this.#child.stdout !== null) {
      createInterface({ input: this.#child.stdout }).on('line', (line) => this.lines.push(line));
    }
  }

  /** Waits for a line that begins with `start` and returns it. */
  async said(start: string): Promise<string> {
    const find = () => this.lines.find((line) => line.startsWith(start));
    await until(() => find() !== undefined, `the worker saying ${start}`);
    return find() ?? '';
  }

  /** Ends all running jobs. */
  finish(): void {
    this.#child.stdin?.write('finish\n');
  }

  /** Lets all running jobs fail. */
  fail(): void {
    this.#child.stdin?.write('fail\n');
  }

  /** Freezes or unfreezes the process. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void {
    this.#child.kill(signal);
  }

  async kill(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    this.#child.kill('SIGKILL');
    await once(this.#child, 'exit');
  }
}
