import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';

/** Releases of Debian that a first host is tried on, by their code names. */
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

/** Why no root can be made on this machine; empty where one can. */
export function missingForRoots(): readonly string[] {
  if (process.getuid?.() !== 0) return ['root'];
  return ['debootstrap', 'unshare', 'openssl'].filter(
    (command) => spawnSync('sh', ['-c', `command -v ${command}`]).status !== 0,
  );
}

/** Makes a fresh root with debootstrap, or finds the one that an earlier run has made in `folder`. Takes half a minute. */
export function debianRoot(folder: string, release: string, equipment: Equipment): string {
  const root = path.join(folder, `${release}-${equipment}`);
  if (existsSync(root)) return root;
  mkdirSync(folder, { recursive: true });
  const draft = `${root}.new`;
  rmSync(draft, { recursive: true, force: true });
  const include = packages[equipment].length === 0 ? [] : [`--include=${packages[equipment].join(',')}`];
  const made = spawnSync('debootstrap', ['--variant=minbase', ...include, release, draft, mirror], {
    encoding: 'utf8',
  });
  if (made.status !== 0) {
    throw new Error(`debootstrap of ${release} failed: ${made.stdout.slice(-2000)}${made.stderr}`);
  }
  renameSync(draft, root);
  return root;
}
