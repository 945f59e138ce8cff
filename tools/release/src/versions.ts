import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** The agent's scripts have their own version: hosts report it, and it is independent of service releases. */
const ownVersion = ['apps/agent'];
const constantPattern = /(productVersion = ')[^']+(')/;

/** A file that repeats the version of the root's package.json, with its value. */
export interface VersionedFile {
  readonly file: string;
  readonly version: string;
}

/** The version in the root's package.json, which all others repeat. */
export function productVersionOf(root: string): string {
  return versionIn(path.join(root, 'package.json'));
}

/** Every file that repeats the version: the package.json of each workspace, and the constant shown by the service. */
export function versionedFiles(root: string): readonly VersionedFile[] {
  const packages = workspaces(root).map((folder) => `${folder}/package.json`);
  return [
    ...packages.map((file) => ({ file, version: versionIn(path.join(root, file)) })),
    ...constantFiles(root).map((file) => ({
      file,
      version: /productVersion = '([^']+)'/.exec(readFileSync(path.join(root, file), 'utf8'))?.[1] ?? '',
    })),
  ];
}

/** Writes a version to package.json, every file that repeats it, and package-lock.json. */
export function writeVersion(root: string, version: string): void {
  for (const file of ['package.json', ...workspaces(root).map((folder) => `${folder}/package.json`)]) {
    edit(root, file, (text) => text.replace(/("version": ")[^"]+(")/, `$1${version}$2`));
  }
  for (const file of constantFiles(root)) {
    edit(root, file, (text) => text.replace(constantPattern, `$1${version}$2`));
  }
  edit(root, 'package-lock.json', (text) => {
    const lock = JSON.parse(text) as { version: string; packages: Record<string, { version?: string }> }; // npm's format
    lock.version = version;
    for (const folder of ['', ...workspaces(root)]) {
      const entry = lock.packages[folder];
      if (entry !== undefined) entry.version = version;
    }
    return `${JSON.stringify(lock, null, 2)}\n`;
  });
}

function workspaces(root: string): readonly string[] {
  return ['packages', 'apps']
    .flatMap((folder) => readdirSync(path.join(root, folder)).map((name) => `${folder}/${name}`))
    .filter((folder) => !ownVersion.includes(folder) && existsSync(path.join(root, folder, 'package.json')));
}

function constantFiles(root: string): readonly string[] {
  return workspaces(root)
    .map((folder) => `${folder}/src/product-version.ts`)
    .filter((file) => existsSync(path.join(root, file)));
}

function versionIn(file: string): string {
  return (JSON.parse(readFileSync(file, 'utf8')) as { version?: string }).version ?? '';
}

function edit(root: string, file: string, change: (text: string) => string): void {
  const whole = path.join(root, file);
  writeFileSync(whole, change(readFileSync(whole, 'utf8')));
}
