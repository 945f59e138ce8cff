/** Whether a host can be reached from the internet. */
export const hostExposures = ['public', 'internal', 'unknown'] as const;
export type HostExposure = (typeof hostExposures)[number];

/** Who stated the exposure of a host: an operator, a rule by tag, or the registration token that it enrolled with. */
export const exposureSources = ['operator', 'tag_rule', 'registration_token'] as const;
export type ExposureSource = (typeof exposureSources)[number];

/**
 * What starts the time in which a finding is to be closed: the publication of the fix, the host's package version,
 * the entry in CISA's catalog of known exploited vulnerabilities, or, if it is earlier, the moment from which the
 * vulnerability could be detected on the host.
 */
export const dueClocks = ['published', 'installed', 'kev', 'detected'] as const;
export type DueClock = (typeof dueClocks)[number];

/** Policies of due dates that come with the service. */
export const duePresets = ['cisa-bod-26-04', 'fedramp-vdr', 'by-severity'] as const;
export type DuePreset = (typeof duePresets)[number];

/** What a due date counts as true although it is not known. */
export const dueAssumptions = [
  /** Exposure unknown: counts as public. */
  'exposure_unknown',
  /**
   * CISA's catalog, or its decisions by SSVC where a rule asks for them, were never synced here or are outdated: a CVE
   * that they do not call exploited counts as not exploited.
   */
  'exploitation_unknown',
  /** A CVE outside KEV without a decision by SSVC: counts as not exploited, not automatable, impact total. */
  'ssvc_unknown',
  /** A CVE in KEV without a decision by SSVC: counts as automatable, impact total. */
  'ssvc_of_exploited_unknown',
  /** The advisory names no CVE: counts as outside KEV, not automatable, impact total. */
  'no_cve',
  /** Only the publication of the vendor's record of the CVE is known: the fix counts as published then. */
  'fix_date_unknown',
] as const;
export type DueAssumption = (typeof dueAssumptions)[number];

/** Why an open advisory has no due date. */
export const undatedReasons = [
  /** The rule asks for the fix with the next upgrade of the system. */
  'next_upgrade',
  /** The rule counts from the publication of a fix, and there is none. */
  'no_fix',
  /** No rule of the policy applies. */
  'no_rule',
  /** A live patch closes it in the running kernel. */
  'livepatched',
  /** A waiver covers it. */
  'waived',
] as const;
export type UndatedReason = (typeof undatedReasons)[number];

/** How an exposure relates to its due date, as of the end of the period. */
export const dueVerdicts = [
  /** Closed on the host by its due date. */
  'met',
  /** Open after its due date, also if it was closed later. */
  'missed',
  /** Open, and its due date is after the end of the period. */
  'not_yet_due',
  /** A waiver covered it at its due date. */
  'waived',
  /** What is known changed before its due date: the vendor edited or withdrew the advisory, or rules changed. */
  'ended_otherwise',
  /** The policy gives it no date. */
  'undated',
  /** Its advisory no longer says what it said, so its due date is not known. */
  'unknown',
] as const;
export type DueVerdict = (typeof dueVerdicts)[number];

/** What due dates depend on of a CVE. */
export interface DueCve {
  readonly id: string;
  /** The start of the day (UTC) on which it was added to KEV, in milliseconds since 1970; null if it is not in it. */
  readonly exploitedAt: number | null;
  /** CISA's decision by SSVC; null without one. */
  readonly ssvc: {
    readonly exploitation: 'none' | 'poc' | 'active';
    readonly automatable: boolean;
    readonly impact: 'partial' | 'total';
  } | null;
}

/** What due dates depend on besides a statement itself. Times are milliseconds since 1970. */
export interface StatementDates {
  /** When its fixed version was first published; null without a fix. */
  readonly fixPublishedAt: number | null;
  /** Whether that is the publication of this fix, not only of a record about its CVE. */
  readonly isFixDateKnown: boolean;
  /** When its advisory was published, or first known here if that is earlier. */
  readonly statedAt: number;
  /** All of its CVEs, sorted. */
  readonly cves: readonly DueCve[];
}
