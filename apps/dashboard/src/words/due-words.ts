import type { Due, DueRule, Host } from '@plimsoll/contract';

/** Whether a host can be reached from the internet. */
export const exposureWords: Readonly<Record<Host['exposure'], string>> = {
  public: 'Yes',
  internal: 'No',
  unknown: 'Not known',
};

/** The values of `exposureWords` to choose from. */
export const exposureOptions = [
  ['unknown', 'Not known'],
  ['public', 'Yes'],
  ['internal', 'No'],
] as const;

/** What started the time of a due date. */
export const clockWords: Readonly<Record<DueRule['clock'], string>> = {
  published: 'the fix was published',
  installed: 'the host got the package version',
  kev: 'CISA listed the CVE as exploited',
  detected: 'it could be detected on the host, or CISA listed the CVE as exploited',
};

/** Why an open advisory has no due date. */
export const undatedWords: Readonly<Record<NonNullable<Due['undated']>, string>> = {
  next_upgrade: 'No date: with the next upgrade of the system',
  no_fix: 'No date: the rule counts from the publication of a fix, and there is none',
  no_rule: 'No date: no rule of the policy applies',
  livepatched: 'No date: a live patch closes it in the running kernel',
  waived: 'No date: it is waived',
};

/** What counted as true although it is not known. */
export const assumptionWords: Readonly<Record<Due['assumptions'][number], string>> = {
  exposure_unknown: 'It is not known whether the host can be reached from the internet: counts as yes.',
  exploitation_unknown:
    'CISA’s data about exploited vulnerabilities was never read or is old here: the CVE counts as not exploited, so the date may be too late.',
  ssvc_unknown:
    'CISA has not decided about the CVE: counts as not exploited, not automatable, with total impact.',
  ssvc_of_exploited_unknown:
    'The CVE is exploited and CISA has not decided about it: counts as automatable, with total impact.',
  no_cve: 'The advisory names no CVE: counts as not exploited, not automatable, with total impact.',
  fix_date_unknown:
    'Only the publication of the record about the CVE is known: the fix counts as published then.',
};

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
