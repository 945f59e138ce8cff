import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** The scripts of a build. */
export type ScriptName = 'collector-apt.sh' | 'collector-rpm.sh' | 'collector.sh' | 'plimsoll-agent';

/** Creates a temporary folder that any user may enter; the caller removes it. */
export function newFolder(purpose: string): string {
  const folder = mkdtempSync(path.join(tmpdir(), `plimsoll-agent-${purpose}-`));
  chmodSync(folder, 0o755);
  return folder;
}

/** Builds the scripts into `folder`. */
export function buildScripts(folder: string): void {
  const { status, stderr } = spawnSync(process.execPath, [path.resolve(__dirname, '../build.mjs'), folder]);
  if (status !== 0) throw new Error(`the build failed: ${stderr.toString()}`);
}
