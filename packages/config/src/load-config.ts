import path from 'node:path';
import { ConfigError, type ConfigMistake } from './config-error.ts';
import { nearestName } from './nearest-name.ts';
import { readFileEntries } from './read-file-entries.ts';
import { type Config, environmentName, type SettingKey, settingKeys, settingOf } from './settings.ts';

/** Names that start with PLIMSOLL_ but are not settings. */
export const otherEnvironmentNames: readonly string[] = ['PLIMSOLL_CONFIG'];

/** All inputs of a configuration. */
export interface ConfigInput<R extends SettingKey = never> {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The configuration file's text; `null` without a file. */
  readonly fileText: string | null;
  /** The file's name in messages; relative paths in the file are relative to its folder. */
  readonly fileName: string | null;
  /** Absolute folder; relative paths outside the file are relative to it. */
  readonly projectDir: string;
  /** Settings that the caller requires. */
  readonly required?: readonly R[];
}

/** A configuration in which the settings `R` are always set. */
export type ConfigWith<R extends SettingKey> = Config & { readonly [K in R]: NonNullable<Config[K]> };

/** A setting's value with its origin. */
export interface ResolvedSetting {
  readonly value: unknown;
  /** An environment variable, the file with its line, or `default`. */
  readonly source: string;
}

/**
 * Builds the configuration from the environment and a file: PLIMSOLL_ variables override aliases, aliases override the
 * file, the file overrides defaults. Throws ConfigError with all mistakes: unknown keys and PLIMSOLL_ variables,
 * values of the wrong kind, empty values, missing required settings. Does no I/O.
 */
export function loadConfig<R extends SettingKey = never>(input: ConfigInput<R>): ConfigWith<R> {
  const resolved = resolveSettings(input);
  const values = Object.fromEntries([...resolved].map(([key, { value }]) => [key, value]));
  return values as ConfigWith<R>; // resolveSettings checked every key against its schema
}

/** As loadConfig, but returns every value with its origin, in the order of the reference page. */
export function resolveSettings(input: ConfigInput<SettingKey>): ReadonlyMap<SettingKey, ResolvedSetting> {
  const mistakes: ConfigMistake[] = [];
  const said = new Map<SettingKey, ResolvedSetting>();

  readFile(input, said, mistakes);
  readEnvironment(input, said, mistakes);
  const wrong = new Set(mistakes.map(({ key }) => key));
  for (const key of input.required ?? []) {
    if (said.has(key) || wrong.has(key) || settingOf(key).fallback !== null) continue;
    mistakes.push({
      key,
      source: `set ${key} in the file or ${environmentName(key)}`,
      message: 'is not set',
    });
  }
  mistakes.push(...incompletePairs(said, wrong), ...contradictions(said));
  if (mistakes.length > 0) throw new ConfigError(mistakes);
  return new Map(settingKeys.map((key) => [key, said.get(key) ?? fallbackOf(key, input.projectDir)]));
}

/** Settings that require each other. */
const pairs: readonly (readonly [SettingKey, SettingKey])[] = [
  ['api.tls_cert_file', 'api.tls_key_file'],
  ['oidc.issuer', 'oidc.client_id'],
];

/** Settings of which at most one may be set. */
const alternatives: readonly (readonly [SettingKey, SettingKey])[] = [
  ['oidc.client_secret', 'oidc.client_secret_file'],
];

function contradictions(said: ReadonlyMap<SettingKey, ResolvedSetting>): readonly ConfigMistake[] {
  return alternatives.flatMap(([one, other]) => {
    const second = said.get(other);
    if (!said.has(one) || second === undefined) return [];
    return [{ key: other, source: second.source, message: `is set, and ${one} is, too: set one of them` }];
  });
}

function incompletePairs(
  said: ReadonlyMap<SettingKey, ResolvedSetting>,
  wrong: ReadonlySet<string>,
): readonly ConfigMistake[] {
  return pairs.flatMap(([one, other]) => {
    const present = said.get(one) ?? said.get(other);
    const key = said.has(one) ? other : one;
    if (present === undefined || said.has(key) || wrong.has(key)) return [];
    const message = `is not set, but ${said.has(one) ? one : other} is: set both or neither`;
    return [{ key, source: `set ${key} in the file or ${environmentName(key)}`, message }];
  });
}

function fallbackOf(key: SettingKey, projectDir: string): ResolvedSetting {
  const { fallback, type } = settingOf(key);
  const isPath = type.isPath === true && fallback !== null;
  return { value: isPath ? path.resolve(projectDir, String(fallback)) : fallback, source: 'default' };
}

function readFile(
  { fileText, fileName, projectDir }: ConfigInput<SettingKey>,
  said: Map<SettingKey, ResolvedSetting>,
  mistakes: ConfigMistake[],
): void {
  if (fileText === null) return;
  const name = fileName ?? 'the configuration file';
  const file = readFileEntries(fileText, name, isSettingKey);
  mistakes.push(...file.mistakes);
  const folder = fileName === null ? projectDir : path.resolve(projectDir, path.dirname(fileName));
  for (const { key, value, source } of file.entries) {
    if (!isSettingKey(key)) {
      mistakes.push({ key, source, message: `is not a setting${didYouMean(key, settingKeys)}` });
    } else {
      accept(key, value, source, folder, said, mistakes);
    }
  }
}

function readEnvironment(
  { env, projectDir }: ConfigInput<SettingKey>,
  said: Map<SettingKey, ResolvedSetting>,
  mistakes: ConfigMistake[],
): void {
  const names = new Set(otherEnvironmentNames);
  for (const key of settingKeys) {
    const { type, aliases } = settingOf(key);
    const own = environmentName(key);
    names.add(own);
    const name = [own, ...aliases].find((candidate) => env[candidate] !== undefined);
    const text = name === undefined ? undefined : env[name];
    if (name === undefined || text === undefined) continue;
    accept(key, text === '' ? '' : type.fromText(text), name, projectDir, said, mistakes);
  }
  for (const name of Object.keys(env).sort()) {
    if (name.startsWith('PLIMSOLL_') && !names.has(name) && env[name] !== undefined) {
      mistakes.push({
        key: name,
        source: 'environment',
        message: `is not a setting${didYouMean(name, [...names])}`,
      });
    }
  }
}

function accept(
  key: SettingKey,
  value: unknown,
  source: string,
  folder: string,
  said: Map<SettingKey, ResolvedSetting>,
  mistakes: ConfigMistake[],
): void {
  const { type, secret } = settingOf(key);
  const isGuarded = secret || type.toShown !== undefined;
  if (value === '' || value === null) {
    mistakes.push({ key, source, message: 'is empty: give it a value or remove it' });
    return;
  }
  const checked = type.schema.safeParse(value);
  if (!checked.success) {
    mistakes.push({
      key,
      source,
      message: `must be ${type.accepts}, but ${isGuarded ? withheld(value) : shown(value)}`,
    });
    return;
  }
  said.set(key, {
    value: type.isPath === true ? path.resolve(folder, String(checked.data)) : checked.data,
    source,
  });
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return `is ${text.length > 80 ? `${text.slice(0, 80)}…` : text}`;
}

function withheld(value: unknown): string {
  if (Array.isArray(value)) return 'is a list with other entries';
  return typeof value === 'string'
    ? `is another text of ${Buffer.byteLength(value)} bytes`
    : `is a ${typeof value}`;
}

function isSettingKey(key: string): key is SettingKey {
  return settingKeys.some((known) => known === key);
}

function didYouMean(typed: string, names: readonly string[]): string {
  const nearest = nearestName(typed, names);
  return nearest === null ? '' : `; did you mean ${nearest}?`;
}
