import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

const script = path.resolve(__dirname, '../../agent/dist/plimsoll-agent');

/** The real agent on this machine, with its own state folder. */
export interface AgentOnThisMachine {
  /** Runs a command of the agent; rejects with its output if it fails. */
  run(command: readonly string[], env?: Readonly<Record<string, string>>): Promise<void>;
  remove(): Promise<void>;
}

/** Installs an agent that is not enrolled yet. */
export async function agentOnThisMachine(): Promise<AgentOnThisMachine> {
  const folder = await mkdtemp(path.join(tmpdir(), 'plimsoll-agent-test-'));
  // Shortens the agent's waits between attempts.
  const hurried = path.join(folder, 'bin');
  await mkdir(hurried);
  await writeFile(path.join(hurried, 'sleep'), '#!/bin/sh\nexit 0\n', { mode: 0o755 });
  return {
    run: (command, env = {}) =>
      new Promise((resolve, reject) => {
        const state = { PLIMSOLL_STATE: path.join(folder, 'state') };
        execFile(
          '/bin/sh',
          [script, ...command],
          { env: { PATH: `${hurried}:${process.env['PATH']}`, ...state, ...env }, timeout: 90_000 },
          (error, _stdout, stderr) =>
            error === null ? resolve() : reject(new Error(stderr, { cause: error })),
        );
      }),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
