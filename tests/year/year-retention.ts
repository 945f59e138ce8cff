import { environmentName, type SettingKey } from '@plimsoll/config';

/** How long a service of a year keeps what: each time passes within the year. */
export interface YearRetention {
  readonly uploads: number;
  readonly payloads: number;
  readonly full: number;
  readonly daily: number;
  readonly history: number;
  readonly trend: number;
  readonly audit: number;
  readonly deliveries: number;
}

/** The retention of a year of `days` days, in days, and the settings for it. Those of 400 days are close to the defaults. */
export function retentionOf(days: number): {
  readonly days: YearRetention;
  readonly settings: Readonly<Record<string, string>>;
} {
  const part = (share: number): number => Math.max(1, Math.round(days * share));
  const retention: YearRetention = {
    uploads: part(0.075),
    payloads: part(0.225),
    full: part(0.225),
    daily: part(0.5),
    history: part(0.8),
    trend: part(0.95),
    audit: part(0.5),
    deliveries: part(0.225),
  };
  const settings = Object.entries(retention).map(([name, value]) => [`retention.${name}_days`, value]);
  const others = [
    ['agent.token_days', part(0.075)],
    ['hosts.retire_after_days', 7],
  ];
  return {
    days: retention,
    settings: Object.fromEntries(
      // The settings have these names.
      [...settings, ...others].map(([key, value]) => [environmentName(key as SettingKey), String(value)]),
    ),
  };
}
