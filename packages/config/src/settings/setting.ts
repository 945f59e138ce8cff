import type { SettingType } from '../setting-type.ts';

/** One setting: what it accepts, its default and its purpose. */
export interface Setting<T> {
  readonly type: SettingType<NonNullable<T>>;
  /** `null` if the setting may be unset. */
  readonly fallback: T;
  /** Sentences for the reference page. */
  readonly about: string;
  /** Accepted environment names besides the PLIMSOLL_ one, which takes precedence. */
  readonly aliases: readonly string[];
  /** A secret's value is never shown, neither in mistakes nor by `plimsoll config check`. */
  readonly secret: boolean;
}

interface Options {
  readonly aliases?: readonly string[];
  readonly secret?: boolean;
}

/** A setting with a default. */
export function preset<T extends {}>(
  type: SettingType<T>,
  fallback: T,
  about: string,
  options: Options = {},
): Setting<T> {
  return { type, fallback, about, aliases: options.aliases ?? [], secret: options.secret ?? false };
}

/** A setting that may be unset. */
export function optional<T extends {}>(
  type: SettingType<T>,
  about: string,
  options: Options = {},
): Setting<T | null> {
  return { type, fallback: null, about, aliases: options.aliases ?? [], secret: options.secret ?? false };
}
