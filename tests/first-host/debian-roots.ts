import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';

/** Debian releases on which a first host is tried, by code name. */
export const releases = [
  { name: 'bullseye', version: '11' },
  { name: 'bookworm', version: '12' },
  { name: 'trixie', version: '13' },
] as const;

/** What a fresh root has besides Debian's smallest set of packages. */
export type Equipment = 'cron' | 'bare' | 'no-curl' | 'no-client';

const packages: Readonly<Record<Equipment, readonly string[]>> = {
  cron: ['ca-certificates', 'curl', 'cron'],
  bare: ['ca-certificates', 'curl'],
  'no-curl': ['ca-certificates', 'wget'],
  'no-client': [],
};

const mirror = 'http://deb.debian.org/debian';

/** Why this machine cannot make a root; empty if it can. */
export function missingForRoots(): readonly string[] {
  if (process.getuid?.() !== 0) return ['root'];
  return ['debootstrap', 'unshare', 'openssl'].filter(
    (command) => spawnSync('sh', ['-c', `command -v ${command}`]).status !== 0,
  );
}

/** Makes a fresh root, or returns the one that an earlier run made in `folder`. Takes half a minute. */
export function debianRoot(folder: string, release: string, equipment: Equipment): string {
  mkdirSync(folder, { recursive: true });
  const smallest = madeOnce(path.join(folder, `${release}-no-client`), (draft) =>
    run('debootstrap', '--variant=minbase', release, draft, mirror),
  );
  if (packages[equipment].length === 0) return smallest;
  // Not with debootstrap's --include: since Debian 13 cron depends on systemd, which cannot be set up that early.
  return madeOnce(path.join(folder, `${release}-${equipment}`), (draft) => {
    run('cp', '-a', smallest, draft);
    const install = `mount -t proc proc "$0/proc"; chroot "$0" env DEBIAN_FRONTEND=noninteractive sh -ec '
      apt-get -q update; apt-get -q -y install --no-install-recommends "$@"' sh "$@"`;
    run('unshare', '--mount', '--pid', '--fork', 'sh', '-ec', install, draft, ...packages[equipment]);
  });
}

/** The folder, filled by `make` if it does not exist; an interrupted one does not count. */
function madeOnce(folder: string, make: (draft: string) => void): string {
  if (existsSync(folder)) return folder;
  const draft = `${folder}.new`;
  rmSync(draft, { recursive: true, force: true });
  make(draft);
  renameSync(draft, folder);
  return folder;
}

function run(command: string, ...args: readonly string[]): void {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed: ${stdout.slice(-2000)}${stderr}`);
}
