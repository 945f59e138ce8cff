import { type LagRules, parseLagException } from '@plimsoll/advisories';

/** The settings of how far a copy of a repository may be behind, as the rule wants them. */
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
