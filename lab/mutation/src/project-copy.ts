import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';

/** The parts that tests read; foreign packages are links to those of the project. */
const copied = [
  'apps',
  'packages',
  'prisma',
  'tools',
  'docs',
  'examples',
  'package.json',
  'tsconfig.json',
  'jest.config.mjs',
  'prisma.config.ts',
];

/** A copy of the project whose files can be broken. */
export class ProjectCopy {
  private readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  /** Copies the project below the system's folder for temporary files. */
  static of(root: string): ProjectCopy {
    const folder = mkdtempSync(path.join(tmpdir(), 'plimsoll-mutation-'));
    for (const name of copied)
      cpSync(path.join(root, name), path.join(folder, name), {
        recursive: true,
        filter: (file) => path.basename(file) !== 'node_modules' && path.basename(file) !== 'dist',
      });
    const modules = path.join(folder, 'node_modules');
    mkdirSync(path.join(modules, '@plimsoll'), { recursive: true });
    for (const name of readdirSync(path.join(root, 'node_modules')))
      if (name !== '@plimsoll') symlinkSync(path.join(root, 'node_modules', name), path.join(modules, name));
    for (const part of ['packages', 'apps'])
      for (const name of readdirSync(path.join(folder, part))) {
        symlinkSync(path.join('..', '..', part, name), path.join(modules, '@plimsoll', name));
        const own = path.join(part, name, 'node_modules');
        if (existsSync(path.join(root, own))) symlinkSync(path.join(root, own), path.join(folder, own));
      }
    return new ProjectCopy(folder);
  }

  /** Replaces a file's text while `act` runs. */
  with<Result>(file: string, text: string, act: () => Result): Result {
    const place = path.join(this.folder, file);
    const whole = readFileSync(place, 'utf8');
    writeFileSync(place, text);
    try {
      return act();
    } finally {
      writeFileSync(place, whole);
    }
  }

  /** Runs tests up to the first file that fails. Throws if they do not end within `timeoutMs`. */
  pass(tests: readonly string[], timeoutMs: number): boolean {
    const jest = path.join('node_modules', 'jest', 'bin', 'jest.js');
    const args = [
      jest,
      '--selectProjects',
      'unit',
      'servers',
      '--bail',
      '--silent',
      '--rootDir',
      this.folder,
      ...tests,
    ];
    const { error, status, stderr } = spawnSync(process.execPath, args, {
      cwd: this.folder,
      encoding: 'utf8',
      timeout: timeoutMs,
    });
    if (error !== undefined) throw error;
    if (/No tests found/.test(stderr)) throw new Error(`there are no tests in ${tests.join(', ')}`);
    return status === 0;
  }

  remove(): void {
    rmSync(this.folder, { recursive: true });
  }
}
