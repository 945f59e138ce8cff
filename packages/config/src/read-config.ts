import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { systemErrorCode } from '@plimsoll/model';
import { ConfigError } from './config-error.ts';
import { type ConfigInput, type ConfigWith, loadConfig } from './load-config.ts';
import { type Config, type SettingKey, secretNames } from './settings.ts';

/** Sources of a process's configuration. */
export interface ConfigPlace<R extends SettingKey = never> {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The value of `--config`, or `null`. */
  readonly configPath: string | null;
  /** Absolute folder; its `plimsoll.yaml` is read if no other file is named. */
  readonly projectDir: string;
  readonly required?: readonly R[];
}

/**
 * Finds and reads the configuration file for loadConfig: the file of `--config`, else of PLIMSOLL_CONFIG (empty: no
 * file), else `plimsoll.yaml` in the project folder if it exists. Throws ConfigError if a named file cannot be read.
 */
export async function readConfigInput<R extends SettingKey = never>(
  place: ConfigPlace<R>,
): Promise<ConfigInput<R>> {
  const { configPath, projectDir, required = [] } = place;
  const env = await withSecretFiles(place.env, projectDir);
  const named = configPath ?? env['PLIMSOLL_CONFIG'] ?? null;
  if (named === '') return { env, fileText: null, fileName: null, projectDir, required };

  const fileName = path.resolve(projectDir, named ?? 'plimsoll.yaml');
  const fileText = await readText(fileName, named === null ? null : 'the file');
  return { env, fileText, fileName: fileText === null ? null : fileName, projectDir, required };
}

/**
 * The environment with the first line of each secret's file, as orchestrators mount them: `NAME_FILE` for `NAME`. Throws
 * ConfigError if a file cannot be read or is empty, or if both names are set.
 */
async function withSecretFiles(
  env: ConfigPlace['env'],
  projectDir: string,
): Promise<Readonly<Record<string, string | undefined>>> {
  const read: Record<string, string | undefined> = { ...env };
  for (const name of secretNames) {
    const named = env[`${name}_FILE`];
    if (named === undefined) continue;
    const key = `${name}_FILE`;
    const mistake = (message: string) => new ConfigError([{ key, source: 'environment', message }]);
    if (env[name] !== undefined) throw mistake(`is set, and ${name}, too: set one of them`);
    const [secret = ''] = (await readText(path.resolve(projectDir, named), key)).split(/\r?\n/, 1);
    if (secret === '') throw mistake('names a file without a secret in its first line');
    read[name] = secret;
    delete read[key];
  }
  return read;
}

/** Reads and validates the configuration of a process. Throws ConfigError with every mistake. */
export async function readConfig<R extends SettingKey = never>(
  place: ConfigPlace<R>,
): Promise<ConfigWith<R>> {
  return withPassword(loadConfig(await readConfigInput(place)));
}

/** Returns the configuration with the password of `database.password_file` inserted in `database.url`. */
async function withPassword<C extends Config>(config: C): Promise<C> {
  const file = config['database.password_file'];
  const text = config['database.url'];
  if (file === null || text === null) return config;
  const [password = ''] = (await readText(file, 'database.password_file')).split(/\r?\n/, 1);
  const mistake = (message: string): ConfigError =>
    new ConfigError([{ key: 'database.password_file', source: file, message }]);
  if (password === '') throw mistake('has no password in its first line');
  const url = new URL(text);
  if (url.username === '') throw mistake('is for a user, and database.url names none');
  url.password = encodeURIComponent(password);
  return { ...config, 'database.url': url.href };
}

/** Returns the text of a file. Throws ConfigError if it cannot be read; null if it is missing and was not named. */
async function readText(fileName: string, namedBy: string): Promise<string>;
async function readText(fileName: string, namedBy: string | null): Promise<string | null>;
async function readText(fileName: string, namedBy: string | null): Promise<string | null> {
  try {
    return await readFile(fileName, 'utf8');
  } catch (error) {
    const code = systemErrorCode(error) ?? String(error);
    if (namedBy === null && code === 'ENOENT') return null;
    throw new ConfigError([
      {
        key: namedBy ?? 'the file',
        source: fileName,
        message: code === 'ENOENT' ? 'does not exist' : `cannot be read: ${code}`,
      },
    ]);
  }
}
