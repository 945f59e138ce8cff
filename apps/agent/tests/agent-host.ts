import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { newFolder, runCommand, type ScriptResult } from '@plimsoll/testing';
import { buildScripts } from './built-scripts.ts';
import { smallAptHost, writeTools } from './fake-tools.ts';

const waits = 'echo "$*" >>"$WAITS"';

/**
 * A host with an agent: its own state, tools that answer at once, and a `sleep` that only records its
 * duration.
 */
export class AgentHost {
  readonly folder = newFolder('agent');
  readonly state = path.join(this.folder, 'state');
  private readonly shell: readonly string[];

  constructor(shell: readonly string[] = ['sh']) {
    this.shell = shell;
    buildScripts(this.folder);
    this.addTools({ ...smallAptHost, sleep: waits });
  }

  /** Puts commands before the machine's own on the PATH. */
  addTools(tools: Readonly<Record<string, string>>): void {
    writeTools(path.join(this.folder, 'tools'), tools);
  }

  /** Runs the agent. */
  agent(
    args: readonly string[],
    env: Readonly<Record<string, string>> = {},
    input = '',
  ): Promise<ScriptResult> {
    return runCommand([...this.shell, path.join(this.folder, 'plimsoll-agent'), ...args], {
      tools: [path.join(this.folder, 'tools')],
      env: { PLIMSOLL_STATE: this.state, WAITS: path.join(this.folder, 'waits'), HOME: this.folder, ...env },
      input,
    });
  }

  /** Enrols the host; throws if that fails. */
  async enroll(origin: string): Promise<void> {
    const { status, stderr } = await this.agent(['enroll', origin], { PLIMSOLL_TOKEN: 'plr_token' });
    if (status !== 0) throw new Error(`not enrolled: ${stderr}`);
  }

  /** The agent's stored value of a name; null without one. */
  kept(name: string): string | null {
    const file = path.join(this.state, name);
    return existsSync(file) ? readFileSync(file, 'utf8').trimEnd() : null;
  }

  /** The requested durations of all waits, in seconds. */
  waits(): readonly number[] {
    const file = path.join(this.folder, 'waits');
    return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').map(Number) : [];
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
