import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { ConfigError } from './config-error.ts';
import { type ConfigInput, type ConfigWith, loadConfig } from './load-config.ts';
import type { SettingKey } from './settings.ts';

/** Where a process takes its configuration from. */
export interface ConfigPlace<R extends SettingKey = never> {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What `--config` said, or `null`. */
  readonly configPath: string | null;
  /** Absolute folder whose `plimsoll.yaml` is read when nothing names another. */
  readonly projectDir: string;
  readonly required?: readonly R[];
}

/**
 * Finds and reads the configuration file for loadConfig: the one of `--config`, else of PLIMSOLL_CONFIG (empty: no
 * file at all), else `plimsoll.yaml` of the project folder if there is one. A named file that cannot be read is a
 * ConfigError.
 */
export async function readConfigInput<R extends SettingKey = never>(
  place: ConfigPlace<R>,
): Promise<ConfigInput<R>> {
  const { env, configPath, projectDir, required = [] } = place;
  const named = configPath ?? env['PLIMSOLL_CONFIG'] ?? null;
  if (named === '') return { env, fileText: null, fileName: null, projectDir, required };

  const fileName = path.resolve(projectDir, named ?? 'plimsoll.yaml');
  const fileText = await readText(fileName, named === null);
  return { env, fileText, fileName: fileText === null ? null : fileName, projectDir, required };
}

/** Reads and checks the configuration of a process. Throws ConfigError with every mistake. */
export async function readConfig<R extends SettingKey = never>(
  place: ConfigPlace<R>,
): Promise<ConfigWith<R>> {
  return loadConfig(await readConfigInput(place));
}

async function readText(fileName: string, mayBeMissing: boolean): Promise<string | null> {
  try {
    return await readFile(fileName, 'utf8');
  } catch (error) {
    const code = errorCode(error);
    if (mayBeMissing && code === 'ENOENT') return null;
    throw new ConfigError([
      {
        key: 'the file',
        source: fileName,
        message: code === 'ENOENT' ? 'does not exist' : `cannot be read: ${code}`,
      },
    ]);
  }
}

function errorCode(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : String(error);
}
