import { otherEnvironmentNames } from './load-config.ts';
import {
  type Config,
  environmentName,
  type SettingKey,
  secretNames,
  settingKeys,
  settingOf,
} from './settings.ts';

/**
 * Returns the environment for a child process that gets exactly `config`: a PLIMSOLL_ variable for every setting with
 * a value, no configuration file, and the variables of `env` that are not Plimsoll's. Omits the settings in
 * `withheld`.
 */
export function configEnvironment(
  config: Config,
  env: Readonly<Record<string, string | undefined>>,
  withheld: readonly SettingKey[] = [],
): Record<string, string> {
  const ours = new Set([...otherEnvironmentNames, ...settingKeys.flatMap(namesOf)]);
  const environment: Record<string, string> = {};
  for (const [name, text] of Object.entries(env)) {
    if (text !== undefined && !ours.has(name)) environment[name] = text;
  }
  environment['PLIMSOLL_CONFIG'] = '';
  for (const key of settingKeys) {
    const value = config[key];
    // A variable cannot express an empty list; it is the default of every list.
    if (value === null || withheld.includes(key) || (Array.isArray(value) && value.length === 0)) continue;
    environment[environmentName(key)] = settingOf(key).type.toText(value);
  }
  return environment;
}

function namesOf(key: SettingKey): readonly string[] {
  const names = [environmentName(key), ...settingOf(key).aliases];
  return names.flatMap((name) => (secretNames.includes(name) ? [name, `${name}_FILE`] : [name]));
}
