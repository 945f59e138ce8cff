import { type ConfigInput, resolveSettings } from './load-config.ts';
import { type SettingKey, settingOf } from './settings.ts';

/** One line for display: a setting, its value and its origin. */
export interface ConfigReportLine {
  readonly key: SettingKey;
  /** Secrets are shown as `(secret)`, settings without a value as `(not set)`; feed addresses as origin and path. */
  readonly value: string;
  readonly source: string;
}

/** The effective configuration, in the order of the reference page. Throws ConfigError as loadConfig does. */
export function configReport(input: ConfigInput<SettingKey>): readonly ConfigReportLine[] {
  return [...resolveSettings(input)].map(([key, { value, source }]) => ({
    key,
    value: printed(key, value),
    source,
  }));
}

function printed(key: SettingKey, value: unknown): string {
  const { type, secret } = settingOf(key);
  if (value === null || value === undefined) return '(not set)';
  if (secret) return '(secret)';
  if (Array.isArray(value) && value.length === 0) return '(none)';
  return type.toShown?.(value) ?? type.toText(value);
}
