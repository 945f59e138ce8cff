import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { circumstance } from './describe-where.ts';
import { runCommand, type ScriptResult } from './run-command.ts';

/**
 * This machine with private changes: its files below a layer in memory, and separate processes. Changes by a test,
 * as root, are lost when the command has ended. `folder` is mounted as /host.
 *
 * /changed shows the layer: all files that a command wrote.
 */
export interface PrivateHost {
  /**
   * Runs shell commands as root: first `prepare`, whose output is shown only if it fails, then `commands`.
   */
  run(prepare: string, commands: string): Promise<ScriptResult>;
}

const enter = `
set -e
layer=$1
mount -t tmpfs tmpfs "$layer"
mkdir "$layer/changed" "$layer/work" "$layer/root"
mount -t overlay overlay -o "lowerdir=/,upperdir=$layer/changed,workdir=$layer/work" "$layer/root"
mount -t proc proc "$layer/root/proc"
mount --rbind /dev "$layer/root/dev"
mount -t tmpfs tmpfs "$layer/root/tmp" && chmod 1777 "$layer/root/tmp"
mkdir "$layer/root/host" "$layer/root/changed"
mount --bind "$2" "$layer/root/host"
mount --bind "$layer/changed" "$layer/root/changed"
cd /
exec chroot "$layer/root" sh -c '
  sh -e /host/prepare.sh >/tmp/prepared 2>&1 || { cat /tmp/prepared >&2; exit 99; }
  rm /tmp/prepared
  exec sh /host/commands.sh'
`;

/** Creates a temporary folder that any user may enter; the caller removes it. */
export function newFolder(purpose: string): string {
  const folder = mkdtempSync(path.join(tmpdir(), `plimsoll-${purpose}-`));
  chmodSync(folder, 0o755);
  return folder;
}

/** What this machine lacks to have a private host. */
export function missingForPrivateHost(): readonly string[] {
  if (process.getuid?.() !== 0) return [circumstance('root')];
  const folder = newFolder('probe');
  const host = prepareFolder(folder, 'true', 'true');
  const { status } = spawnSync('unshare', host);
  spawnSync('rm', ['-rf', folder]);
  return status === 0 ? [] : [circumstance('unshare(1) with overlay file systems')];
}

/** The commands that this machine lacks. */
export function missingCommands(...commands: readonly string[]): readonly string[] {
  return commands.filter((command) => spawnSync('sh', ['-c', `command -v ${command}`]).status !== 0);
}

/** A private host that sees `folder` as /host. */
export function privateHost(folder: string): PrivateHost {
  return {
    run: async (prepare, commands) => {
      const result = await runCommand(['unshare', ...prepareFolder(folder, prepare, commands)]);
      if (result.status === 99) throw new Error(`the host could not be prepared: ${result.stderr}`);
      return result;
    },
  };
}

/** Writes the two scripts; returns the arguments of unshare. */
function prepareFolder(folder: string, prepare: string, commands: string): readonly string[] {
  const layer = path.join(folder, 'layer');
  mkdirSync(layer, { recursive: true });
  writeFileSync(path.join(folder, 'prepare.sh'), prepare);
  writeFileSync(path.join(folder, 'commands.sh'), commands);
  return [
    '--mount',
    '--pid',
    '--fork',
    '--kill-child',
    '--propagation',
    'private',
    'sh',
    '-c',
    enter,
    'sh',
    layer,
    folder,
  ];
}
