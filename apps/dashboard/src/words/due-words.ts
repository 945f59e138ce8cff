import type { DueRule } from '@plimsoll/contract';
import { clockWords } from '@plimsoll/words';

/** The conditions of a rule in words. */
export function ruleConditions(rule: DueRule): string {
  const { tags, severity, known_exploited, exploitation, exposure, decided, automatable, impact } = rule;
  const parts = [
    ...(tags === undefined ? [] : [tags.length === 0 ? 'hosts with other tags' : `tag ${tags.join(' or ')}`]),
    ...(severity === undefined ? [] : [`severity ${severity}`]),
    ...(known_exploited === undefined ? [] : [known_exploited ? 'in CISA KEV' : 'not in CISA KEV']),
    ...(exploitation === undefined ? [] : ['exploited (in CISA KEV, or active by SSVC)']),
    ...(exposure === undefined
      ? []
      : [exposure === 'public' ? 'reachable from the internet' : 'internal host']),
    ...(decided === undefined ? [] : [decided ? 'decided by CISA' : 'not decided by CISA']),
    ...(automatable === undefined ? [] : [automatable ? 'automatable' : 'not automatable']),
    ...(impact === undefined ? [] : [`${impact} impact`]),
  ];
  return parts.length === 0 ? 'everything else' : parts.join(', ');
}

/** The time that a rule gives, in words. */
export function ruleLimit({ days, clock, forensics }: DueRule): string {
  if (days === undefined) return 'with the next upgrade of the system';
  const time = `${days} ${days === 1 ? 'day' : 'days'} after ${clockWords[clock]}`;
  return forensics === true ? `${time}, with a forensic investigation` : time;
}
