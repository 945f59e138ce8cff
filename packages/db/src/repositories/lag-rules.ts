import { type LagRules, parseLagException } from '@plimsoll/advisories';

/** Parses the settings for how far a copy of a repository may be behind; drops exceptions that cannot be parsed. */
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

/** The smallest number of days in these rules. */
export function leastLagDays({ defaultDays, exceptions }: LagRules): number {
  return Math.min(defaultDays, ...exceptions.map(({ days }) => days));
}

/** A text that is unique per settings: hosts judged under another one are judged again. */
export function lagFingerprint(lag: LagRules): string {
  return JSON.stringify(lag);
}

/**
 * SQL: a digest of everything besides reports that affects the judgement of a host in `hosts h`: the settings'
 * fingerprint and its tags.
 */
export function judgedBySql(fingerprint: string): string {
  return `md5(${fingerprint}::text || ' ' || array_to_string(h.tags, ' '))`;
}
