import type { DueClock, HostExposure, Severity } from '@plimsoll/model';
import type { SsvcImpact } from '../feeds/cves/cve-feed.ts';

/** One rule of a policy. A condition that is absent is met by everything. */
export interface DueRule {
  /** Hosts with at least one of these tags. */
  readonly tags?: readonly string[];
  /** Advisories of exactly this severity. */
  readonly severity?: Exclude<Severity, 'none'>;
  /** Whether the CVE is in KEV. */
  readonly knownExploited?: boolean;
  /** CVEs in KEV, and others that CISA's decision by SSVC calls actively exploited. */
  readonly exploitation?: 'active';
  /** A host whose exposure is unknown counts as public. */
  readonly exposure?: Exclude<HostExposure, 'unknown'>;
  /** Whether CISA has decided about the CVE by SSVC. */
  readonly decided?: boolean;
  readonly automatable?: boolean;
  readonly impact?: SsvcImpact;
  /** Days of 24 hours; `next_upgrade`: no date, with the next upgrade of the system. */
  readonly within: number | 'next_upgrade';
  readonly clock: DueClock;
  /** Whether the host is to be examined for traces of an attack. */
  readonly forensics: boolean;
}
