import type { DueAssumption, DueClock, DueVerdict, HostExposure, UndatedReason } from '@plimsoll/model';

/** Whether a host can be reached from the internet. */
export const exposureWords: Readonly<Record<HostExposure, string>> = {
  unknown: 'Not known',
  public: 'Yes',
  internal: 'No',
};

/** What started the time of a due date. */
export const clockWords: Readonly<Record<DueClock, string>> = {
  published: 'the fix was published',
  installed: 'the host got the package version',
  kev: 'CISA listed the CVE as exploited',
  detected: 'it could be detected on the host, or CISA listed the CVE as exploited',
};

/** Why an open advisory has no due date. */
export const undatedWords: Readonly<Record<UndatedReason, string>> = {
  next_upgrade: 'No date: with the next upgrade of the system',
  no_fix: 'No date: the rule counts from the publication of a fix, and there is none',
  no_rule: 'No date: no rule of the policy applies',
  livepatched: 'No date: a live patch closes it in the running kernel',
  waived: 'No date: it is waived',
};

/** What counted as true although it is not known. */
export const assumptionWords: Readonly<Record<DueAssumption, string>> = {
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

/** Whether a finding was closed by its due date. */
export const dueVerdictWords: Readonly<Record<DueVerdict, string>> = {
  met: 'Met',
  missed: 'Missed',
  not_yet_due: 'Not yet due',
  waived: 'Waived',
  ended_otherwise: 'Ended otherwise',
  undated: 'No date',
  unknown: 'Not known',
};
