import type { DuePreset } from '@plimsoll/model';

/** What users read about a preset of due dates. */
interface PresetWords {
  readonly notes: readonly string[];
  /** Titles and addresses. */
  readonly sources: readonly (readonly [string, string])[];
}

/** The words of each preset: what its rules cannot say by themselves. */
export const presetNotes: Readonly<Record<DuePreset, PresetWords>> = {
  'cisa-bod-26-04': {
    notes: [
      'The timelines of CISA’s directive, in calendar days. The time starts with CISA’s entry in KEV or the detection on the host, whichever is first. A CVE that enters KEV long after it was detected is overdue at once.',
      'The detection counts as made when it was first possible: on the day of the host’s first report, but not before the advisory. Findings without a fix have a date, too; record a mitigation as a waiver.',
      'A CVE that CISA’s decision by SSVC calls actively exploited counts like one in KEV. Without a decision, a CVE outside KEV has 14 days on a host that can be reached from the internet, and 60 days on others.',
      'State which hosts can be reached from the internet. Others count as reachable.',
      'Three rows ask for a forensic investigation: evidence is taken before the host is changed. Plans and their scripts say so.',
    ],
    sources: [
      [
        'BOD 26-04',
        'https://www.cisa.gov/news-events/directives/bod-26-04-prioritizing-security-updates-based-risk',
      ],
      [
        'Implementation guidance',
        'https://www.cisa.gov/news-events/directives/bod-26-04-implementation-guidance-prioritizing-security-updates-based-risk',
      ],
      ['Decision table (CERT/CC)', 'https://certcc.github.io/SSVC/howto/cisa_response/'],
    ],
  },
  'fedramp-vdr': {
    notes: [
      'The times of FedRAMP’s Vulnerability Detection and Response rules for Class C, in days. Classes A and B have longer times. Class D has shorter ones: start own rules from these and enter them.',
      'Plimsoll cannot know the Potential Agency Impact. State it by a tag of the host: pain-5, pain-4, pain-3, pain-2, or pain-1 for routine operations. A host without such a tag counts as pain-5; of several tags the strictest counts.',
      'Plimsoll cannot know whether a vulnerability is likely exploitable. All count as likely exploitable, except on hosts with the tag pain-5-unlikely, pain-4-unlikely, pain-3-unlikely or pain-2-unlikely.',
      'State which hosts can be reached from the internet, also through a proxy or a queue. Others count as reachable.',
      'FedRAMP counts from the evaluation; these rules count from the detection, which is earlier. Exploited CVEs have 3 days, the shortest time of CISA BOD 26-04: CISA can set an earlier day for a single CVE, which the page of the CVE shows.',
      'A mitigation that reduces the impact counts for FedRAMP, but Plimsoll sees only fixes: record it as a waiver with an end.',
    ],
    sources: [
      [
        'FedRAMP VDR',
        'https://www.fedramp.gov/2026/providers/20x/rules/vulnerability-detection-and-response/',
      ],
      ['Machine-readable rules', 'https://github.com/FedRAMP/rules'],
      ['Notice NTC-0014', 'https://www.fedramp.gov/notices/0014/'],
    ],
  },
  'by-severity': {
    notes: ['Days since the fix was published, whatever the host. Findings without a fix have no date.'],
    sources: [],
  },
};
