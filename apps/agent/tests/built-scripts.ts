import { spawnSync } from 'node:child_process';
import path from 'node:path';

/** Builds the scripts into `folder`. */
export function buildScripts(folder: string): void {
  const { status, stderr } = spawnSync(process.execPath, [path.resolve(__dirname, '../build.mjs'), folder]);
  if (status !== 0) throw new Error(`the build failed: ${stderr.toString()}`);
}
