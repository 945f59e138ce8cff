import { type LagRules, parseLagException } from '@plimsoll/advisories';

/** Reads the settings that say how far a copy of a repository may be behind; an exception that cannot be read is left out. */
export function lagRulesOf(settings: {
  readonly 'hosts.repository_max_lag_days': number;
  readonly 'hosts.repository_max_lag_exceptions': readonly string[];
}): LagRules {
  return {
    defaultDays: settings['hosts.repository_max_lag_days'],
    exceptions: settings['hosts.repository_max_lag_exceptions'].flatMap(
      (text) => parseLagException(text) ?? [],
    ),
  };
}

/** The least number of days that any copy may be behind. */
export function leastLagDays({ defaultDays, exceptions }: LagRules): number {
  return Math.min(defaultDays, ...exceptions.map(({ days }) => days));
}

/** A text that differs where the settings differ: hosts judged by another one are judged again. */
export function lagFingerprint(lag: LagRules): string {
  return JSON.stringify(lag);
}
