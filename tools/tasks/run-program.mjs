import { spawn } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the checkout. */
export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');

/** Ends the command with a message without a stack. */
export class TaskError extends Error {}

/** The path of a file below node_modules. */
export function installed(file) {
  return path.join(root, 'node_modules', file);
}

/**
 * Runs a program to its end and returns `{ code, output }`; `output` is empty unless stdio is 'pipe'. Forwards SIGINT,
 * SIGTERM and SIGHUP to the program, then ends this process with the same signal.
 */
export function runProgram(program, args, env = {}, stdio = 'pipe') {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: [stdio === 'inherit' ? 'inherit' : 'ignore', stdio, stdio],
    });
    const chunks = [];
    child.stdout?.on('data', (chunk) => chunks.push(chunk));
    child.stderr?.on('data', (chunk) => chunks.push(chunk));
    let interruptedBy = null;
    const forward = (signal) => {
      // Again when another program of this process has ended by it.
      if (interruptedBy !== null) return;
      interruptedBy = signal;
      child.kill(signal);
      // npm continues installing after Ctrl-C. An interrupted installation starts again next time.
      setTimeout(() => child.kill('SIGKILL'), 1000).unref();
    };
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
    for (const signal of signals) process.on(signal, forward);
    child.once('error', (error) => reject(new TaskError(`${program} cannot be run: ${error.message}`)));
    child.once('close', (code) => {
      for (const signal of signals) process.removeListener(signal, forward);
      if (interruptedBy === null) resolve({ code, output: Buffer.concat(chunks).toString('utf8').trim() });
      // Ending with the same signal shows npm and the shell that this was not a failure; the promise stays pending.
      else process.kill(process.pid, interruptedBy);
    });
  });
}
